import type { WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import { programText } from "../../plans/codeText.js";
import { typedPlan } from "./composing.js";
import type { Reply } from "./message.js";

/** The plan of the rules as a program. */
export async function replyToWriteProgram(input: WriteProgramInput): Promise<Reply> {
  const searched = input.searched.map(({ phrase }) => phrase);
  const plan = await typedPlan({ ...input, searched });
  // A plan that is left to its results returns nothing, which is no answer: whoever follows it leaves it there.
  const end = plan.answer === "" ? "return null;" : "";
  const code = [programText(plan), end].filter(Boolean);
  return { text: ["```ts", ...code, "```"].join("\n") };
}

/** What a value means is for a language model to say. */
export function replyToLook(): Reply {
  const text =
    "I cannot answer this: the offline planner does not judge what a value means. Choose a language model.";
  return { text, refusal: true };
}
