import type { JudgeInput } from "../../nodes/acting/judge.js";
import type { VoteInput } from "../../nodes/searching-steps/vote.js";
import type { Attempt } from "../../nodes/shared/stageInputs.js";
import { FINISH } from "../../tools/control.js";
import type { Reply } from "./message.js";

/** A call helped if it gave a result at all: whether that is of use takes a language model. */
export async function replyToJudge({ result }: JudgeInput): Promise<Reply> {
  const helpful = !isError(result);
  const reason = helpful ? "The call gave a result." : "The call failed.";
  return { text: JSON.stringify({ reason, helpful }) };
}

/**
 * The continuation with more calls that succeeded. Where both have as many, it is the one that is
 * shown first, so that asking both ways round gives each of them half a point.
 */
export async function replyToVote({ first, second }: VoteInput): Promise<Reply> {
  const [a, b] = [successes(first), successes(second)];
  const reason = `${a} and ${b} calls succeeded.`;
  return { text: JSON.stringify({ reason, better: b > a ? "B" : "A" }) };
}

/** The end of a branch is told nothing: an answer counts as a success, and giving up does not. */
function successes({ calls }: Attempt): number {
  return calls.filter(({ name, args, observation }) =>
    name === FINISH.name ? args["return_type"] === "give_answer" : !isError(observation),
  ).length;
}

/** Whether what a model is told of a call is an error, which is told with its name. */
export function isError(observation: string): boolean {
  return /^\w*Error: /.test(observation);
}
