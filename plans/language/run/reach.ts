import { CHANGING } from "../language.js";
import type { At, Expression } from "../program.js";
import type { ProgramTool } from "../progress.js";
import { Undecided } from "./signals.js";
import { type Callback, isContainer, PENDING, type Scope, type Value } from "./values.js";
import type { Visit } from "./visit.js";

/*
 * What a part of a program could do that cannot be followed yet, because it depends on a call without an outcome: which
 * names and values are unknown after it, and whether it may write or end the program. It never does less than that.
 */

/** What is written in a part of the code, without what the functions that it names do. */
export interface Reach {
  writes: boolean;
  assigned: ReadonlySet<string>;
  /** Names whose value is changed: `list.push(…)`, `record.key = …`. */
  changed: ReadonlySet<string>;
  /** Whether a value is changed that is not found by a name alone. */
  changesOthers: boolean;
  named: ReadonlySet<string>;
  declared: ReadonlySet<string>;
  called: ReadonlySet<string>;
  /** Whether functions are called that are not found by a name. */
  callsOthers: boolean;
  throws: boolean;
  /** Whether the code after it may not be reached, because of `return` or `throw`, … */
  returns: boolean;
  breaks: boolean;
  continues: boolean;
}

interface Known {
  tools: ReadonlyMap<string, ProgramTool>;
  reaches: Map<object, Reach>;
}

/** Skips a part that cannot be followed yet: what it may assign, change or write is unknown afterwards. */
export function passOver(part: object, scope: Scope, visit: Visit): void {
  const { writes } = unsettle(part, scope, visit);
  if (!writes) return;
  visit.mayWrite = true;
  visit.complete = false;
}

/** Continues after an undecided statement, unless it may leave the list. */
export function goPast(part: object, scope: Scope, visit: Visit): undefined {
  const { returns, breaks, continues } = reachOf(part, visit);
  if (returns || breaks || continues) throw new Undecided({ mayEnd: true });
  if (mayThrow(part, scope, visit)) throw new Undecided({ mayEnd: true });
  passOver(part, scope, visit);
}

/** Whether one of the program's own functions that it calls may throw. */
export function mayThrow(part: object, scope: Scope, visit: Visit): boolean {
  return reachable(part, scope, visit).some(([inner]) => reachOf(inner, visit).throws);
}

/** Makes unknown what a part may assign or change. */
export function unsettle(part: object, scope: Scope, visit: Visit): { writes: boolean } {
  const parts = reachable(part, scope, visit);
  const reaches = parts.map(([inner, from]) => ({ ...reachOf(inner, visit), from }));
  const seen = new Set<Value>();
  const changesOthers = reaches.some(
    ({ changesOthers, changed, declared }) =>
      changesOthers || [...changed].some((name) => declared.has(name)),
  );
  for (const { changed, named, from } of reaches) {
    for (const name of changesOthers ? named : changed) blur(lookUp(name, from), seen);
  }
  for (const { assigned, from } of reaches) {
    for (const name of assigned) assign(name, PENDING, from);
  }
  return { writes: reaches.some(({ writes }) => writes) };
}

/** Makes unknown what a value contains that may be any of the program's. */
export function unsettleAll(scope: Scope, visit: Visit): void {
  const seen = new Set<Value>();
  for (const from of [scope, ...visit.functions.map((one) => one.scope)]) {
    for (let at: Scope | undefined = from; at; at = at.outer) {
      for (const value of at.names.values()) blur(value, seen);
    }
  }
}

function blur(value: Value | undefined, seen: Set<Value>): void {
  if (!value || !isContainer(value) || seen.has(value)) return;
  seen.add(value);
  value.isUnsettled = true;
  for (const inner of value.inside) blur(inner, seen);
}

/** The part itself, and the bodies of all functions that it may call, each with the scope of its names. */
function reachable(part: object, scope: Scope, visit: Visit): [object, Scope][] {
  const found: [object, Scope][] = [[part, scope]];
  const known = new Set<Callback>();
  const add = (value: Value | undefined): void => {
    if (value?.kind !== "function" || known.has(value)) return;
    known.add(value);
    found.push([value.written, value.scope]);
  };
  for (const [inner, from] of found) {
    const { named, called, callsOthers } = reachOf(inner, visit);
    const isOpen = [...called].some((name) => lookUp(name, from)?.kind !== "function");
    if (callsOthers || isOpen) visit.functions.forEach(add);
    for (const name of named) add(lookUp(name, from));
  }
  return found;
}

export function lookUp(name: string, scope: Scope): Value | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const value = at.names.get(name);
    if (value) return value;
  }
  return undefined;
}

export function assign(name: string, value: Value, scope: Scope): void {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (!at.names.has(name)) continue;
    at.names.set(name, value);
    return;
  }
}

/** Cached, because it is asked for the same parts in each iteration while something is pending. */
export function reachOf(part: object, known: Known): Reach {
  const before = known.reaches.get(part);
  if (before) return before;
  const reach = read(part, known);
  known.reaches.set(part, reach);
  return reach;
}

const NAMES = ["assigned", "called", "changed", "declared", "named"] as const;
const FLAGS = ["writes", "changesOthers", "callsOthers", "throws"] as const;

function read(part: { kind?: unknown }, known: Known): Reach {
  const inner = Object.values(part)
    .filter((next): next is object => typeof next === "object" && next !== null)
    .map((next) => reachOf(next, known));
  const own = ownReach(part, known);
  const names = NAMES.map((of) => {
    const all = [...(own[of] ?? []), ...inner.flatMap((one) => [...one[of]])];
    return [of, new Set(all)] as const;
  });
  const flags = FLAGS.map((of) => [of, own[of] === true || inner.some((one) => one[of])] as const);
  const found = Object.fromEntries<unknown>([...names, ...flags]) as unknown as Reach;
  return { ...found, ...exits(part, inner) };
}

type Part = { kind?: unknown; line?: number; name?: string; label?: string };

/** What a part does itself, without the parts in it. */
function ownReach(part: Part, { tools }: Known): Partial<Reach> {
  const name = part.name ?? "";
  switch (part.kind) {
    case "tool":
      return { writes: tools.get(name)?.effects !== "read" };
    case "name":
      return part.line === undefined ? { declared: new Set([name]) } : { named: new Set([name]) };
    case "throw":
    case "stop":
      return { throws: true };
    case "call": {
      const { of } = part as At<"call">;
      return of.kind === "name" ? { called: new Set([of.name]) } : { callsOthers: true };
    }
    case "assign":
      return assignedTo((part as { to: object }).to);
    case "count":
      return changeOf((part as { to: Expression }).to);
    case "delete":
      return changeOf((part as { from: Expression }).from);
    case "method":
      return methodReach(part as At<"method">);
    case "helper":
      return name === "Object.assign" ? rootOf((part as { args: Expression[] }).args[0]) : {};
    default:
      return {};
  }
}

/** A method may be a function that the program has put into an object, or be given one that it has kept there. */
function methodReach({ name, of, args, isOwn }: At<"method">): Partial<Reach> {
  const [first] = args;
  const isKnown = !first || "spread" in first || first.kind === "function" || first.kind === "name";
  return {
    callsOthers: isOwn === true || (!isKnown && CALLING.has(name)),
    ...(CHANGING.has(name) && !isNew(of) && rootOf(of)),
  };
}

const CALLING: ReadonlySet<string> = new Set(
  "map filter find findLast findIndex findLastIndex some every flatMap forEach reduce reduceRight sort toSorted replace replaceAll then catch finally".split(
    " ",
  ),
);

/** Whether nothing else can hold the value. */
function isNew(expression: Expression): boolean {
  if (expression.kind === "method") return COPYING.has(expression.name);
  if (expression.kind === "helper") return COPYING.has(expression.name);
  return ["list", "record", "new", "pattern"].includes(expression.kind);
}

const COPYING: ReadonlySet<string> = new Set(
  "map filter slice concat flat flatMap toSorted toReversed toSpliced with split entries keys values match matchAll union Array.from Array.of Object.keys Object.values Object.entries Object.fromEntries structuredClone unique groupBy".split(
    " ",
  ),
);

function assignedTo(pattern: { kind?: unknown; name?: string }): Partial<Reach> {
  if (pattern.kind === "name") return { assigned: new Set([pattern.name ?? ""]) };
  const changes = targetsIn(pattern).map(changeOf);
  return {
    assigned: new Set(changes.flatMap(({ assigned = [] }) => [...assigned])),
    changed: new Set(changes.flatMap(({ changed = [] }) => [...changed])),
    changesOthers: changes.some(({ changesOthers }) => changesOthers),
  };
}

function targetsIn(pattern: object): Expression[] {
  if ("kind" in pattern && pattern.kind === "target" && "target" in pattern)
    return [pattern.target as Expression];
  return Object.values(pattern).flatMap((inner: unknown) =>
    typeof inner === "object" && inner !== null && !("line" in inner) ? targetsIn(inner) : [],
  );
}

function changeOf(target: Expression): Partial<Reach> {
  if (target.kind === "name") return { assigned: new Set([target.name]) };
  return target.kind === "field" || target.kind === "item" ? rootOf(target.of) : {};
}

/** The name by which a changed value is found. */
function rootOf(target: Expression | undefined): Partial<Reach> {
  let at = target;
  while (at?.kind === "field" || at?.kind === "item" || at?.kind === "await") {
    at = at.kind === "await" ? at.value : at.of;
  }
  return at?.kind === "name" ? { changed: new Set([at.name]) } : { changesOthers: true };
}

/** A function contains its own `return`, a loop its own `break`; one with a label may leave further loops. */
function exits(part: Part, inner: Reach[]): Pick<Reach, "returns" | "breaks" | "continues"> {
  const { kind } = part;
  if (kind === "function") return { returns: false, breaks: false, continues: false };
  const isLoop = kind === "each" || kind === "loop";
  const isJump = kind === "break" || kind === "continue";
  const leaves = isJump && part.label !== undefined;
  const some = (of: "returns" | "breaks" | "continues") => inner.some((one) => one[of]);
  const isEnd = kind === "return" || kind === "throw" || kind === "stop";
  return {
    returns: leaves || isEnd || some("returns"),
    breaks: !isLoop && kind !== "switch" && ((kind === "break" && !leaves) || some("breaks")),
    continues: !isLoop && ((kind === "continue" && !leaves) || some("continues")),
  };
}
