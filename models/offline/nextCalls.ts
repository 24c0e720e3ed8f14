import type { StepState } from "./follow.js";
import type { PlannedCall } from "./message.js";

/**
 * The calls to make now. Pure computations go together; any other call goes alone and in order,
 * since it may change what a later one finds.
 */
export function nextCalls(states: readonly StepState[]): PlannedCall[] {
  const ready = states.flatMap((state) => (state.state === "ready" ? [state.call] : []));
  const [first, ...others] = ready.map(({ tool, args }) => ({ name: tool, args }));
  if (!first) return [];
  return isComputation(first) ? [first, ...others.filter(isComputation)] : [first];
}

function isComputation({ args }: PlannedCall): boolean {
  return Object.values(args)
    .flat()
    .every((value) => typeof value === "number");
}
