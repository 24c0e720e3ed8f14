import { counted } from "../../../common/text.js";
import type { Outcome, PlannedCall, ProgramInputs, ProgramTool, Progress } from "../progress.js";
import { Fault } from "./signals.js";
import { type List, PENDING, type Scope, type Value } from "./values.js";

export interface ProgramLimits {
  steps: number;
  characters: number;
  items: number;
  depth: number;
  calls: number;
}

export const PROGRAM_LIMITS: ProgramLimits = {
  steps: 200_000,
  characters: 1_000_000,
  items: 100_000,
  depth: 32,
  calls: 1_000,
};

/** One pass through a program, from the start to where it cannot continue. */
export interface Visit {
  limits: ProgramLimits;
  inputs: ProgramInputs;
  tools: ReadonlyMap<string, ProgramTool>;
  reaches: Map<object, Reach>;
  steps: number;
  /** Current iterations of loops and callbacks, outermost first. */
  turns: number[];
  /** Places reached: made calls, calls to make, looks. */
  reached: number;
  /** Of these, those without an outcome. */
  open: number;
  /** Whether a pending write may precede what comes next, which could change what is read. */
  mayWrite: boolean;
  calls: PlannedCall[];
  writes: PlannedCall[];
  complete: boolean;
  counts: Record<string, number>;
  look: Progress["look"];
  need: Progress["need"];
}

export function beginVisit(inputs: ProgramInputs, limits: ProgramLimits): Visit {
  return {
    limits,
    inputs,
    tools: new Map(inputs.tools.map((tool) => [tool.name, tool])),
    reaches: new Map(),
    steps: 0,
    turns: [],
    reached: 0,
    open: 0,
    mayWrite: false,
    calls: [],
    writes: [],
    complete: true,
    counts: {},
    look: undefined,
    need: undefined,
  };
}

/** Copying and comparing is cheap: this many items or characters count as one step. */
const CHEAP = 256;

/** @param items how many items or characters are processed at once */
export function step(visit: Visit, items = CHEAP): void {
  visit.steps += Math.ceil(items / CHEAP);
  if (visit.steps <= visit.limits.steps) return;
  throw new Fault(
    `The program takes more than ${counted(visit.limits.steps)} steps. Go through less data.`,
  );
}

/** Refuses a too long text before it is made. */
export function fits(characters: number, { limits }: Visit): void {
  if (characters <= limits.characters) return;
  throw new Fault(`A text has more than ${counted(limits.characters)} characters.`);
}

export function itemsOf(list: List, visit: Visit): readonly Value[] {
  fitsList(list.size, visit);
  step(visit, list.size);
  return list.items;
}

export function fitsList(size: number, { limits }: Visit): void {
  if (size <= limits.items) return;
  throw new Fault(`A list has more than ${counted(limits.items)} items.`);
}

/** The same in each visit: the site in the text and the iterations around it. */
export function placeOf(site: number, visit: Visit): string {
  return [site, ...visit.turns].join(":");
}

export function inTurn<T>(turn: number, visit: Visit, work: () => T): T {
  if (visit.turns.length >= visit.limits.depth) {
    throw new Fault(
      `Loops and functions stand more than ${visit.limits.depth} deep within each other.`,
    );
  }
  step(visit);
  visit.turns.push(turn);
  try {
    return work();
  } finally {
    visit.turns.pop();
  }
}

/** Starts items together: a possible write of one does not keep the others from reading. */
export function atOnce<T>(visit: Visit, works: readonly (() => T)[]): T[] {
  const before = visit.mayWrite;
  let mayWrite = before;
  const results = works.map((work) => {
    visit.mayWrite = before;
    const result = work();
    mayWrite ||= visit.mayWrite;
    return result;
  });
  visit.mayWrite = mayWrite;
  return results;
}

export function comeTo(tool: ProgramTool, place: string, visit: Visit): Outcome | undefined {
  visit.reached += 1;
  if (visit.reached > visit.limits.calls) {
    throw new Fault(
      `The program makes more than ${counted(visit.limits.calls)} calls of tools. Make fewer.`,
    );
  }
  visit.counts[tool.id] = (visit.counts[tool.id] ?? 0) + 1;
  return visit.inputs.outcomes.get(place);
}

/**
 * Plans a call without an outcome if nothing before it can change it: a read together with other reads, a write
 * once everything before it has an outcome.
 *
 * @param call undefined if its arguments are not known yet
 */
export function planCall(call: PlannedCall | undefined, { effects }: ProgramTool, visit: Visit) {
  const isFirst = visit.open === 0;
  visit.open += 1;
  if (effects === "read") {
    if (call && (!visit.mayWrite || visit.inputs.ahead)) visit.calls.push(call);
    return;
  }
  visit.mayWrite = true;
  if (!call) visit.complete = false;
  else visit.writes.push(call);
  if (call && isFirst) visit.calls.push(call);
}

/** Skips a part that cannot be followed yet: what it may assign or write is unknown afterwards. */
export function passOver(part: object, scope: Scope, visit: Visit): void {
  const { writes, assigned } = reachOf(part, visit);
  if (writes) {
    visit.mayWrite = true;
    visit.complete = false;
  }
  unsettle(assigned, scope);
}

export function unsettle(names: Iterable<string>, scope: Scope): void {
  for (const name of names) assign(name, PENDING, scope);
}

export function assign(name: string, value: Value, scope: Scope): void {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    if (!at.names.has(name)) continue;
    at.names.set(name, value);
    return;
  }
}

interface Reach {
  writes: boolean;
  assigned: ReadonlySet<string>;
  /** Whether the code after it may not be reached, because of `return` or `throw`, … */
  returns: boolean;
  breaks: boolean;
  continues: boolean;
}

interface Known {
  tools: ReadonlyMap<string, ProgramTool>;
  reaches: Map<object, Reach>;
}

/** Cached, because it is asked for the same parts in each iteration while something is pending. */
export function reachOf(part: object, known: Known): Reach {
  const before = known.reaches.get(part);
  if (before) return before;
  const reach = read(part, known);
  known.reaches.set(part, reach);
  return reach;
}

function read(part: object, known: Known): Reach {
  const inner = Object.values(part)
    .filter((next): next is object => typeof next === "object" && next !== null)
    .map((next) => reachOf(next, known));
  const kind = "kind" in part ? part.kind : undefined;
  const own = Object.hasOwn(part, "name") && "name" in part ? String(part.name) : "";
  return {
    writes:
      (kind === "tool" && known.tools.get(own)?.effects !== "read") ||
      inner.some(({ writes }) => writes),
    assigned: new Set([
      ...(kind === "assign" ? [own] : []),
      ...inner.flatMap(({ assigned }) => [...assigned]),
    ]),
    ...exits(kind, inner),
  };
}

/** A function contains its own `return`, a loop its own `break`. */
function exits(kind: unknown, inner: Reach[]): Pick<Reach, "returns" | "breaks" | "continues"> {
  if (kind === "function") return { returns: false, breaks: false, continues: false };
  const isLoop = kind === "each";
  return {
    returns: kind === "return" || kind === "throw" || inner.some(({ returns }) => returns),
    breaks: !isLoop && (kind === "break" || inner.some(({ breaks }) => breaks)),
    continues: !isLoop && (kind === "continue" || inner.some(({ continues }) => continues)),
  };
}
