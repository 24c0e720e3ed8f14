import { counted } from "../../common/bounds.js";
import type { Stage, StageInputs } from "../../nodes/shared/stageInputs.js";
import { replyToAct } from "./acting.js";
import { replyToComposeSteps, replyToOutline } from "./composeOutline.js";
import { replyToRewrite, replyToWriteQuery } from "./composeRequests.js";
import { replyToCompose, replyToReflect } from "./composing.js";
import type { Reply } from "./message.js";
import { replyToSummarize } from "./summary.js";
import { replyToJudge, replyToVote } from "./verdicts.js";

/** Characters of a request; the rules go over it again and again, and a longer one is no list of tasks. */
const LONGEST_READ = 4000;

const CANNOT_LOOK =
  "I cannot answer this: the offline planner does not judge what a value means. Choose a language model.";

/** What the planner replies at a stage. */
export async function replyTo(
  stage: string,
  input: object,
  byRules?: () => Promise<Reply>,
): Promise<Reply> {
  if ("request" in input && String(input.request).length > LONGEST_READ)
    return tooLong(String(input.request));
  if (byRules) return byRules();
  const decide: { [K in Stage]?: (input: StageInputs[K]) => Promise<Reply> } = {
    act: replyToAct,
    judge: replyToJudge,
    vote: replyToVote,
    summarize: replyToSummarize,
    compose: replyToCompose,
    outline: replyToOutline,
    composeSteps: replyToComposeSteps,
    reflect: replyToReflect,
    writeQuery: replyToWriteQuery,
    rewrite: replyToRewrite,
  };
  const reply = decide[stage as Stage] as ((input: object) => Promise<Reply>) | undefined;
  return reply ? reply(input) : { text: CANNOT_LOOK, refusal: true };
}

function tooLong({ length }: string): Reply {
  const text = `I cannot answer this: the offline planner reads requests of at most ${counted(LONGEST_READ)} characters, and this one has ${counted(length)}. Choose a language model, or ask for less at once.`;
  return { text, refusal: true };
}
