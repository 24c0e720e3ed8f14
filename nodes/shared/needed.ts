import { WiringFault } from "../../common/errors.js";

/**
 * A value the stage cannot work without: a wiring may lead there only if it exists.
 *
 * @example
 * const task = needed(currentTask(state.taskTree), { stage: "paraphrase", what: "a task" });
 *
 * @throws WiringFault if it does not exist
 */
export function needed<Value>(
  value: Value | null | undefined,
  { stage, what }: { stage: string; what: string },
): Value {
  if (value !== null && value !== undefined) return value;
  throw new WiringFault({ stage, problem: `the graph leads to it without ${what}` });
}
