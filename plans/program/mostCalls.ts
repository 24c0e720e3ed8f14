import { assignedIn } from "./assignedIn.js";
import { ONCE, perhaps, type Unbounded } from "./callBounds.js";
import { expressionsIn } from "./expressionsIn.js";
import type { Shape } from "./lengths.js";
import type { Pattern, Program } from "./program.js";
import type { Variable, Variables } from "./variables.js";
import { type BoundedTool, type Walk, walkAll } from "./walk.js";

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
