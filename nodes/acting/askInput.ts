import { interrupt, type LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { CallOutcome } from "../../tools/calls/engine/callOutcome.js";
import type { InputAnswer, InputRequest as Question } from "../../tools/remote.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import type { CallsToRun } from "../../tools/calls/engine/callScope.js";
import type { ParametersSchema } from "../../tools/tool.js";
import {
  type ReviewKind,
  type ReviewedAction,
  askDecisions,
  reviewRequest,
} from "../policy/askDecisions.js";
import { canAsk, ifAsked } from "../kit/runBasics.js";

/** A person's answers, or nothing where nobody can be asked. */
export type GivenAnswers = Pick<CallsToRun, "answers">;

/** How often at most calls are made again with a person's answers. */
const MOST_ROUNDS = 20;

/**
 * Runs calls, and asks a person whatever they wait for, until they ask nothing more. Each time the run resumes, its node
 * starts over: finished calls are answered from the journal, and the others wait where they were.
 *
 * @param options.unasked runs them only if nobody has to be asked anything
 * @returns undefined if a person has to be asked; what was made by then is in the journal
 */
export async function makeAnswered(options: {
  config: Pick<LangGraphRunnableConfig, "configurable">;
  run: (given: GivenAnswers) => Promise<CallOutcome[]>;
  unasked?: boolean;
}): Promise<CallOutcome[] | undefined> {
  const { config, run, unasked = false } = options;
  if (!canAsk(config)) return await run({});
  const answers: InputAnswer[] = [];
  let after = 0;
  for (let round = 0; ; round++) {
    // In the last round nobody is asked, and open questions are declined.
    const outcomes = await run(round < MOST_ROUNDS ? { answers } : {});
    const questions = new Map(
      outcomes.flatMap(({ input = [] }) => input).map((question) => [question.id, question]),
    );
    if (questions.size === 0) return outcomes;
    if (unasked) return undefined;
    const asked = [...questions.values()];
    const plans = asked.filter(({ calls }) => calls !== undefined);
    const given = ifAsked(() => (plans.length === 0 ? askInput(asked) : askCalls(plans, after++)));
    if (!given) return await run({});
    answers.push(...given);
  }
}

/**
 * Asks a person about the calls of saved plans, as about the writes of a program. A plan is made as it was saved or not at
 * all, so whoever rejects one of its calls rejects all that are left.
 *
 * @param after how often this visit of the node has asked such a question before
 */
export function askCalls(questions: readonly Question[], after = 0): InputAnswer[] {
  const planned = questions.flatMap(({ id, tool: plan, calls }) =>
    (calls?.planned ?? []).map(({ tool, args }) => ({ id, plan, tool, args })),
  );
  const decisions = askDecisions({
    kind: "writes",
    actions: planned.map(({ plan, tool, args }) => ({
      name: tool.id,
      args,
      description: `in ${plan}, which is made as a whole or not at all`,
      definition: tool.hash,
      allowed: ["approve", "reject"],
    })),
    details: {
      program: questions.map(({ calls }) => calls?.code ?? "").join("\n\n"),
      complete: questions.every(({ calls }) => calls?.complete),
      after,
    },
  });
  return questions.map(({ id }) => {
    const own = decisions.filter((_, at) => planned[at]?.id === id);
    const rejected = own.find((each) => each.type === "reject");
    if (!rejected) return { id, action: "accept" };
    const { message } = rejected;
    return { id, action: "decline", ...(message && { content: { message } }) };
  });
}

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
  // A secret is not an answer, which would be in the thread's state: a run that goes on looks whether it is connected.
  const connects = questions.filter(({ connect }) => connect !== undefined);
  if (connects.length > 0 && connects.length < questions.length) return askInput(connects, problem);
  const request = {
    ...reviewRequest(kindOf(questions), questions.map(asAction), problem),
    ...(connects.length > 0 && {
      connect: connects.map(({ source, message, connect }) => ({ source, message, ...connect })),
    }),
  };
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

function kindOf(questions: readonly Question[]): ReviewKind {
  if (questions.every(({ connect }) => connect !== undefined)) return "connect";
  return questions.every(({ isOutcome }) => isOutcome) ? "outcome" : "question";
}

function asAction({ id, tool, source, message, schema, url, connect }: Question): ReviewedAction {
  return {
    name: tool,
    args: { id, action: "accept", ...(connect ? {} : { content: {} }) },
    description: [`${source} asks: ${message}`, ...(url === undefined ? [] : [url])].join(" · "),
    allowed: ["edit"],
    argsSchema: {
      type: "object",
      properties: {
        id: { type: "string", const: id },
        action: { enum: ["accept", "decline", "cancel"] },
        ...(connect ? {} : { content: schema ?? { type: "object" } }),
      },
      required: ["id", "action"],
    },
  };
}

/** The answer with its question's defaults filled in. An answer to an earlier question was checked back then. */
export function checkedAnswer(
  { id, action, content = {} }: InputAnswer,
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
