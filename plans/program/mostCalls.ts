import type { JsonSchema } from "../../tools/tool.js";
import {
  type Bound,
  either,
  NONE,
  ONCE,
  perhaps,
  plus,
  times,
  type Unbounded,
} from "./callBounds.js";
import { expressionsIn } from "./expressionsIn.js";
import { anything, eitherShape, type Shape } from "./lengths.js";
import { shapeOf } from "./shapes.js";
import type { Expression, Pattern, Program, Statement } from "./program.js";

/** How often a program calls a tool, as far as that is known before it runs. */
export interface CallBound {
  /** As the program names it. */
  tool: string;
  /** So often it is called wherever nothing fails. */
  least: number;
  /** Infinite where nothing is known of the lists that it is called for. */
  most: number;
  unknown?: Unbounded;
}

/** What has to be known of a tool. */
export interface BoundedTool {
  returns?: JsonSchema;
}

/** A walk through a program, in which each statement is seen once. */
export interface Walk {
  tools: ReadonlyMap<string, BoundedTool>;
  /** How often what is seen now happens. */
  times: Bound;
  /** Calls of each tool by now. */
  counts: Map<string, Bound>;
  scope: Scope;
  variables: Variables;
  /** What the function at hand returns. */
  returned: Shape[];
}

interface Scope {
  names: Map<string, Shape | Pattern>;
  outer: Scope | undefined;
}

/** What variables hold that are assigned to, by where they are declared. */
interface Variables {
  /** Names that are assigned to anywhere. */
  assigned: ReadonlySet<string>;
  found: Map<Pattern, Variable>;
  /** Of a walk before this one; without it nothing is known of them. */
  known: ReadonlyMap<Pattern, Variable> | undefined;
}

interface Variable {
  /** How often it is declared, and begins anew. */
  declared: Bound;
  values: Shape[];
  /** Items that are put behind those that it holds, and how many of them. */
  added: Shape[];
  grown: Bound;
}

/**
 * How often each tool of a program is called at least and at most, in the order of the text. How long lists
 * are is known of those that stand in the code, and of results whose tools declare it (`maxItems`); what an
 * argument asks for (`limit: 10`) is no promise.
 */
export function mostCalls(
  program: Pick<Program, "body">,
  tools: ReadonlyMap<string, BoundedTool>,
): CallBound[] {
  const parts = expressionsIn(program);
  // A program that lacks something is completed, and what it comes to then is another one.
  const whole = parts.some(({ kind }) => kind === "need") ? perhaps(ONCE) : ONCE;
  const assigned = assignedIn(program.body);
  const walked = (known: Variables["known"]): Walk => {
    const variables = { assigned, found: new Map<Pattern, Variable>(), known };
    const scope = { names: new Map<string, Shape>(), outer: undefined };
    const walk = { tools, times: whole, counts: new Map(), scope, variables, returned: [] };
    walkAll(program.body, walk);
    return walk;
  };
  // What variables come to hold is known only once all has been seen.
  const first = walked(undefined);
  const { counts } = assigned.size === 0 ? first : walked(first.variables.found);
  return [...counts].map(([tool, bound]) => ({ tool, ...bound }));
}

function assignedIn(body: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(body, (_key, part: unknown) => {
    const { kind, name } = (part ?? {}) as { kind?: unknown; name?: unknown };
    if (kind === "assign" && typeof name === "string") names.add(name);
    return part;
  });
  return names;
}

function walkAll(statements: readonly Statement[], walk: Walk): void {
  const { times: before } = walk;
  for (const statement of statements) {
    walkStatement(statement, walk);
    if (canLeave(statement)) walk.times = perhaps(walk.times);
  }
  walk.times = before;
}

function walkStatement(statement: Statement, walk: Walk): void {
  switch (statement.kind) {
    case "declare":
      return bind(statement.pattern, shapeOf(statement.value, walk), walk);
    case "assign":
      return assign(statement, walk);
    case "do":
      return void shapeOf(statement.value, walk);
    case "if":
      shapeOf(statement.test, walk);
      return walkEither(
        () => inScope(walk, () => walkAll(statement.then, walk)),
        () => inScope(walk, () => walkAll(statement.otherwise, walk)),
        walk,
      );
    case "each":
      return walkLoop(statement, walk);
    case "try":
      return repeated(perhaps(ONCE), walk, () => {
        walkAll(statement.body, walk);
        walkAll(statement.rescue, walk);
      });
    case "block":
      return inScope(walk, () => walkAll(statement.body, walk));
    case "return":
      if (statement.value) walk.returned.push(shapeOf(statement.value, walk));
      return;
    case "throw":
      return void shapeOf(statement.reason, walk);
    case "continue":
    case "break":
  }
}

function walkLoop(statement: Extract<Statement, { kind: "each" }>, walk: Walk): void {
  const { pattern, list, body } = statement;
  const whole = shapeOf(list, walk);
  const turns = turnsOf(whole.length, list);
  // Whether there is a turn after one that may leave the loop is not known.
  const certain = body.some(canLeave) ? { ...turns, least: Math.min(1, turns.least) } : turns;
  repeated(certain, walk, () => {
    bind(pattern, whole.item(), walk);
    walkAll(body, walk);
  });
}

/** How often something is done for the items of a list, told by the name of the list where it has one. */
export function turnsOf(length: Bound, list: Expression): Bound {
  if (!length.unknown || length.unknown.name !== undefined || list.kind !== "name") return length;
  const name = `${list.name} (line ${list.line})`;
  return { ...length, unknown: { ...length.unknown, name } };
}

/** What is done so often, each time with names of its own. */
export function repeated<T>(turns: Bound, walk: Walk, work: () => T): T {
  const { times: before } = walk;
  walk.times = times(before, turns);
  try {
    return inScope(walk, work);
  } finally {
    walk.times = before;
  }
}

function inScope<T>(walk: Walk, work: () => T): T {
  const { scope: outer } = walk;
  walk.scope = { names: new Map(), outer };
  try {
    return work();
  } finally {
    walk.scope = outer;
  }
}

/** Of two ways one is gone. */
export function walkEither<One, Other>(
  one: () => One,
  other: () => Other,
  walk: Walk,
): [One, Other] {
  const { counts: before } = walk;
  const apart = <T>(work: () => T): { counts: Map<string, Bound>; value: T } => {
    walk.counts = new Map();
    const value = work();
    return { counts: walk.counts, value };
  };
  const [first, second] = [apart(one), apart(other)];
  walk.counts = before;
  for (const tool of new Set([...first.counts.keys(), ...second.counts.keys()])) {
    count(tool, either(first.counts.get(tool) ?? NONE, second.counts.get(tool) ?? NONE), walk);
  }
  return [first.value, second.value];
}

export function count(tool: string, bound: Bound, { counts }: Walk): void {
  counts.set(tool, plus(counts.get(tool) ?? NONE, bound));
}

/** Gives a name what is known of its value, or several names what is known of the parts. */
export function bind(pattern: Pattern, shape: Shape, walk: Walk): void {
  if (pattern.kind === "name") return declare(pattern, shape, walk);
  const parts =
    pattern.kind === "fields"
      ? pattern.fields.map(({ key, ...part }) => ({ ...part, shape: shape.field(key) }))
      : pattern.items.flatMap((part) => (part ? [{ ...part, shape: shape.item() }] : []));
  for (const { pattern: inner, otherwise, shape: part } of parts) {
    bind(inner, otherwise ? eitherShape([part, maybe(otherwise, walk)]) : part, walk);
  }
  if (pattern.rest === undefined) return;
  const rest = pattern.kind === "items" ? shape : anything("the length of a list in the rest");
  declare({ kind: "name", name: pattern.rest }, { ...rest, length: perhaps(rest.length) }, walk);
}

/** An expression that may not be come to. */
export function maybe(expression: Expression, walk: Walk): Shape {
  return repeated(perhaps(ONCE), walk, () => shapeOf(expression, walk));
}

function declare(pattern: Extract<Pattern, { kind: "name" }>, shape: Shape, walk: Walk): void {
  const { variables, scope } = walk;
  if (!variables.assigned.has(pattern.name)) {
    scope.names.set(pattern.name, shape);
    return;
  }
  scope.names.set(pattern.name, pattern);
  const variable = variables.found.get(pattern);
  variables.found.set(pattern, {
    declared: plus(variable?.declared ?? NONE, walk.times),
    values: [...(variable?.values ?? []), shape],
    added: variable?.added ?? [],
    grown: variable?.grown ?? NONE,
  });
}

function assign(statement: Extract<Statement, { kind: "assign" }>, walk: Walk): void {
  const { name, value } = statement;
  const shape = shapeOf(value, walk);
  const pattern = find(name, walk.scope);
  const variable = pattern && "kind" in pattern ? walk.variables.found.get(pattern) : undefined;
  if (!variable) return;
  const added = appended(statement);
  if (!added) variable.values.push(shape);
  else {
    variable.grown = plus(variable.grown, times(walk.times, exactly(added.length)));
    variable.added.push(shape.item());
  }
}

function exactly(many: number): Bound {
  return { least: many, most: many };
}

/** What is put behind the items of a list: `all = [...all, one, other]`, as `all.push(one, other)` is read. */
function appended({ name, value }: { name: string; value: Expression }): Expression[] | undefined {
  if (value.kind !== "list") return undefined;
  const [first, ...others] = value.items;
  if (!first || !("spread" in first)) return undefined;
  if (first.spread.kind !== "name" || first.spread.name !== name) return undefined;
  const items = others.filter((item) => "kind" in item);
  return items.length === others.length ? items : undefined;
}

/** What is known of the value that a name stands for. */
export function named(name: string, walk: Walk): Shape {
  const found = find(name, walk.scope);
  if (!found) return anything(`the length of ${name}`);
  if (!("kind" in found)) return found;
  const variable = walk.variables.known?.get(found);
  return variable ? held(variable, name) : anything(`the length of ${name}`);
}

function find(name: string, scope: Scope | undefined): Shape | Pattern | undefined {
  return scope && (scope.names.get(name) ?? find(name, scope.outer));
}

/** What a variable may hold at any time. */
function held({ values, added, grown, declared }: Variable, name: string): Shape {
  const [first, ...others] = values;
  if (!first) return anything(`the length of ${name}`);
  const whole = eitherShape([first, ...others]);
  if (added.length === 0) return { ...whole, literal: undefined };
  // Where it begins anew in each turn of a loop, it grows in each turn anew.
  const most = grown.most === 0 ? 0 : grown.most / Math.max(1, declared.most);
  const growth: Bound = Number.isFinite(most)
    ? { least: 0, most: Math.ceil(most) }
    : { ...grown, least: 0, most: Infinity };
  return {
    ...whole,
    isOne: false,
    literal: undefined,
    length: perhaps(plus(whole.length, unknownWhere(growth, name))),
    item: () => eitherShape([whole.item(), ...added]),
  };
}

function unknownWhere(bound: Bound, name: string): Bound {
  if (Number.isFinite(bound.most) || bound.unknown) return bound;
  return { ...bound, unknown: { by: `the length of ${name}` } };
}

/** Whether what stands behind a statement may not be come to. */
function canLeave(statement: Statement): boolean {
  switch (statement.kind) {
    case "return":
    case "throw":
    case "break":
    case "continue":
      return true;
    case "if":
      return [...statement.then, ...statement.otherwise].some(canLeave);
    case "each":
    case "block":
      return statement.body.some(canLeave);
    case "try":
      return [...statement.body, ...statement.rescue].some(canLeave);
    default:
      return false;
  }
}

/** The body of a function: what it may return. */
export function walkBody(body: readonly Statement[], walk: Walk): Shape[] {
  const { returned: before } = walk;
  walk.returned = [];
  walkAll(body, walk);
  const { returned } = walk;
  walk.returned = before;
  return returned;
}
