import { interrupt } from "@langchain/langgraph";
import { z } from "zod";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type {
  InputAnswer,
  InputRequest as Question,
} from "../../tools/runtime/calls/callOutcome.js";
import { validateArguments } from "../../tools/runtime/calls/validateArguments.js";
import type { ParametersSchema } from "../../tools/tool.js";
import { type ReviewedAction, reviewRequest } from "../shared/askDecisions.js";

const plain = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** What a person answers to a question; `cancel` leaves it open, which most servers take for no. */
const answerSchema = z.object({
  id: z.string(),
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), plain).optional(),
});

/** Each decision edits an action whose arguments are the answer: no other kind says which question it answers. */
const answersSchema = z.object({
  decisions: z.array(
    z.object({ type: z.literal("edit"), editedAction: z.object({ args: answerSchema }) }),
  ),
});

/**
 * Asks a person what the servers behind calls want to know: pauses the run with LangGraph's `interrupt` until it is
 * resumed with decisions that edit them into answers. Answers name their questions, because a resumed run replays
 * all earlier answers in order but may not ask every question again.
 */
export function askInput(questions: readonly Question[], problem = ""): InputAnswer[] {
  const kind = questions.every(({ isOutcome }) => isOutcome) ? "outcome" : "question";
  const request = reviewRequest(kind, questions.map(asAction), problem);
  const read = answersSchema.safeParse(interrupt(request));
  if (!read.success) {
    const wanted = `resume with { "decisions": [{ "type": "edit", "editedAction": { "name", "args": { "id": "${questions[0]?.id}", "action": "accept" | "decline" | "cancel", "content": { … } } } }] }`;
    return askInput(questions, `it is not an answer: ${wanted}`);
  }
  const checked = read.data.decisions.map(({ editedAction }) =>
    checkedAnswer(editedAction.args, questions),
  );
  const wrong = checked.flatMap((each) => ("problem" in each ? each.problem : []));
  if (wrong.length > 0) return askInput(questions, wrong.join("; "));
  return checked.flatMap((each) => ("answer" in each ? each.answer : []));
}

function asAction({ id, tool, source, message, schema, url }: Question): ReviewedAction {
  return {
    name: tool,
    args: { id, action: "accept", content: {} },
    description: [`${source} asks: ${message}`, ...(url === undefined ? [] : [url])].join(" · "),
    allowed: ["edit"],
    argsSchema: {
      type: "object",
      properties: {
        id: { type: "string", const: id },
        action: { enum: ["accept", "decline", "cancel"] },
        content: schema ?? { type: "object" },
      },
      required: ["id", "action"],
    },
  };
}

/** The answer with its question's defaults filled in. An answer to an earlier question was checked back then. */
function checkedAnswer(
  { id, action, content = {} }: z.infer<typeof answerSchema>,
  questions: readonly Question[],
): { answer: InputAnswer } | { problem: string } {
  const question = questions.find((each) => each.id === id);
  if (action !== "accept") return { answer: { id, action } };
  if (!question?.schema) return { answer: { id, action, content } };
  const schema = { properties: {}, ...question.schema, type: "object" } as ParametersSchema;
  const record = { name: question.tool, hash: sha256(canonicalJson(schema)), parameters: schema };
  const check = validateArguments({ record, args: content });
  if (!check.ok)
    return { problem: `the answer to ${question.tool} does not fit: ${check.problem}` };
  return { answer: { id, action, content: check.args as InputAnswer["content"] } };
}
