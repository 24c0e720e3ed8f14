import type { Stage, StageInputs } from "../../nodes/shared/stageInputs.js";
import { replyToComposeSteps, replyToOutline } from "./composeOutline.js";
import { replyToRewrite, replyToWriteQuery } from "./composeRequests.js";
import { replyToCompose, replyToReflect } from "./composing.js";
import type { Reply } from "./message.js";

const CANNOT_LOOK =
  "I cannot answer this: the offline planner does not judge what a value means. Choose a language model.";

/** What the planner replies at a stage that does not say it itself. */
export async function replyTo(stage: string, input: object): Promise<Reply> {
  const decide: { [K in Stage]?: (input: StageInputs[K]) => Promise<Reply> } = {
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
