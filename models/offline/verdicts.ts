import type { JudgeInput } from "../../nodes/acting/judge.js";
import type { VoteInput } from "../../nodes/searching-steps/vote.js";
import type { Attempt } from "../../nodes/shared/stageInputs.js";
import { FINISH } from "../../tools/control.js";
import type { Reply } from "../prompt.js";

/** A call helped if it returned a result; judging its use would take a language model. */
export async function replyToJudge({ result }: JudgeInput): Promise<Reply> {
  const helpful = !isError(result);
  const reason = helpful ? "The call gave a result." : "The call failed.";
  return { text: JSON.stringify({ reason, helpful }) };
}

/**
 * The continuation with more successful calls; in a tie, the one shown first, so that asking in both orders gives each
 * half a point.
 */
export async function replyToVote({ first, second }: VoteInput): Promise<Reply> {
  const [a, b] = [successes(first), successes(second)];
  const reason = `${a} and ${b} calls succeeded.`;
  return { text: JSON.stringify({ reason, better: b > a ? "B" : "A" }) };
}

/** Calls that end a branch have no observation: an answer counts as a success, giving up does not. */
function successes({ calls }: Attempt): number {
  return calls.filter(({ name, args, observation }) =>
    name === FINISH.name ? args["return_type"] === "give_answer" : !isError(observation),
  ).length;
}

/** Whether an observation is an error, which starts with its name. */
export function isError(observation: string): boolean {
  return /^\w*Error: /.test(observation);
}
