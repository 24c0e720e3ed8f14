import { WiringFault } from "../../common/errors.js";

/**
 * What a stage cannot work without: a wiring leads to the stage only where it is there.
 *
 * @example
 * const task = needed(currentTask(state.taskTree), { stage: "paraphrase", what: "a task" });
 *
 * @throws WiringFault when it is not
 */
export function needed<Value>(
  value: Value | null | undefined,
  { stage, what }: { stage: string; what: string },
): Value {
  if (value !== null && value !== undefined) return value;
  throw new WiringFault({ stage, problem: `the graph leads to it without ${what}` });
}
