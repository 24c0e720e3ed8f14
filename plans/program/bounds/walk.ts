import type { JsonSchema } from "../../../tools/tool.js";
import { type Bound, either, NONE, ONCE, perhaps, plus, times, type Shape } from "./lengths.js";
import { shapeOf } from "./shapes.js";
import type { Expression, Statement } from "../program.js";
import { assign, bind, type Scope, type Variables } from "./variables.js";

/** What counting needs to know about a tool. */
export interface BoundedTool {
  returns?: JsonSchema;
}

/** A pass through a program that visits each statement once. */
export interface Walk {
  tools: ReadonlyMap<string, BoundedTool>;
  /** How often the visited code runs. */
  times: Bound;
  /** Calls of each tool so far. */
  counts: Map<string, Bound>;
  scope: Scope;
  variables: Variables;
  /** What the current function returns. */
  returned: Shape[];
}

export function walkAll(statements: readonly Statement[], walk: Walk): void {
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
      walkEither(
        () => inScope(walk, () => walkAll(statement.then, walk)),
        () => inScope(walk, () => walkAll(statement.otherwise, walk)),
        walk,
      );
      return;
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
  // After an iteration that may leave the loop, further ones are uncertain.
  const certain = body.some(canLeave) ? { ...turns, least: Math.min(1, turns.least) } : turns;
  repeated(certain, walk, () => {
    bind(pattern, whole.item(), walk);
    walkAll(body, walk);
  });
}

/** How often something is done for a list's items, described by the list's name if it has one. */
export function turnsOf(length: Bound, list: Expression): Bound {
  if (!length.unknown || length.unknown.name !== undefined || list.kind !== "name") return length;
  const name = `${list.name} (line ${list.line})`;
  return { ...length, unknown: { ...length.unknown, name } };
}

/** Walks repeated code with its own scope. */
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

/** Walks two alternatives. */
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

/** An expression that may not be evaluated. */
export function maybe(expression: Expression, walk: Walk): Shape {
  return repeated(perhaps(ONCE), walk, () => shapeOf(expression, walk));
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

/** Whether the code after a statement may not be reached. */
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
