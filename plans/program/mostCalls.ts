import { assignedIn, expressionsIn } from "./expressionsIn.js";
import { ONCE, perhaps, type Unbounded, type Shape } from "./bounds/lengths.js";
import type { Pattern, Program } from "./program.js";
import type { Variable, Variables } from "./bounds/variables.js";
import { type BoundedTool, type Walk, walkAll } from "./bounds/walk.js";

/** How often a program calls a tool, as far as known before it runs. */
export interface CallBound {
  /** Its name in the program. */
  tool: string;
  /** Calls made for certain if nothing fails. */
  least: number;
  /** Infinite if the lengths of the lists are unknown. */
  most: number;
  unknown?: Unbounded;
}

/**
 * The least and most calls of each tool of a program, in text order. Lengths are known of lists in the code and
 * of results whose tools declare `maxItems`; an argument such as `limit: 10` is no guarantee.
 */
export function mostCalls(
  program: Pick<Program, "body">,
  tools: ReadonlyMap<string, BoundedTool>,
): CallBound[] {
  const parts = expressionsIn(program);
  // A program that lacks something will be rewritten, so its calls are uncertain.
  const whole = parts.some(({ kind }) => kind === "need") ? perhaps(ONCE) : ONCE;
  const assigned = assignedIn(program.body);
  const walked = (known: Variables["known"]): Walk => {
    const variables = { assigned, found: new Map<Pattern, Variable>(), known };
    const scope = { names: new Map<string, Shape>(), outer: undefined };
    const walk = { tools, times: whole, counts: new Map(), scope, variables, returned: [] };
    walkAll(program.body, walk);
    return walk;
  };
  // The values of variables are known only after a full pass.
  const first = walked(undefined);
  const { counts } = assigned.size === 0 ? first : walked(first.variables.found);
  return [...counts].map(([tool, bound]) => ({ tool, ...bound }));
}
