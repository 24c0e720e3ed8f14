import { type AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { BoundTool } from "../../models/ask.js";
import type { Reply } from "../../models/offline/message.js";
import type { Prompt } from "../../models/prompt.js";
import type { Context } from "../../state/context.js";
import type { GraphState, StateUpdate, Usage } from "../../state/state.js";
import type { JsonSchema } from "../../tools/tool.js";
import { askModel } from "./askModel.js";
import { backgroundText } from "./conversationText.js";
import { attemptsAt, problemAt, repairOrEnd } from "./repair.js";
import type { Reading, ReplyForm } from "./replyForm.js";

/** Paragraphs of a prompt; what does not apply is left out. */
export type Paragraphs = readonly (string | number | boolean | undefined)[];

/** What a stage asks a model: the words, the shape of the reply, and how the reply is read. */
export interface Question<Stage extends string, Input extends { background?: string }, Value> {
  /** Which question it is: its name in traces, in complaints, and for models that follow rules. */
  stage: Stage;
  /** What the model is to do, and how; the form of the reply and the background follow it by themselves. */
  instructions: (input: Input) => Paragraphs;
  /** What is asked now. */
  task: (input: Input) => Paragraphs;
  /** The shape of a structured reply. */
  form?: ReplyForm<unknown>;
  /** JSON Schema of the reply, where it depends on what is known, such as the tools on offer. */
  schema?: (input: Input) => JsonSchema | undefined;
  /** Reads the reply. */
  read: (reply: AIMessage, input: Input) => Reading<Value> | Promise<Reading<Value>>;
  /** What the offline planner replies. */
  byRules?: (input: Input) => Promise<Reply>;
  /** The reply takes thought: the setting `reasoningModel`, where there is one, is asked. */
  thinks?: boolean;
  /** The reply is taken as it is: one that is too long is cut and not asked for again. */
  once?: boolean;
}

/** A question without the reading of its reply, for a stage that reads it with more than the model was told. */
export type Asking<Stage extends string, Input extends { background?: string }> = Omit<
  Question<Stage, Input, unknown>,
  "read"
>;

/**
 * A question whose reply is a JSON object of a form.
 *
 * @example
 * const otherWords = formQuestion({
 *   stage: "paraphrase",
 *   form: replyForm(z.object({ task: z.string().trim().min(1) })),
 *   instructions: () => ["Say the task in other words."],
 *   task: ({ task }) => [`Task: ${task}`],
 * });
 */
export function formQuestion<Stage extends string, Input extends { background?: string }, Value>(
  asked: Omit<Question<Stage, Input, Value>, "form" | "read"> & { form: ReplyForm<Value> },
): Omit<Question<Stage, Input, Value>, "form"> & { form: ReplyForm<Value> } {
  return { ...asked, read: ({ text }) => asked.form.read(text) };
}

/**
 * A question as messages.
 *
 * @param problem what was wrong with the model's last reply
 */
export function promptOf<Stage extends string, Input extends { background?: string }>(
  question: Asking<Stage, Input>,
  { input, problem }: { input: Input; problem?: string },
): Prompt<Stage, Input> {
  const { stage, instructions, task, form, byRules, thinks, once } = question;
  const schema = question.schema?.(input) ?? form?.schema;
  const system = [...instructions(input), form?.instruction, backgroundText(input.background)];
  return {
    stage,
    input,
    messages: [
      new SystemMessage(inParagraphs(system)),
      new HumanMessage(inParagraphs(task(input))),
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
    ...(schema ? { schema } : {}),
    ...(byRules ? { byRules: () => byRules(input) } : {}),
    ...(thinks ? { thinks } : {}),
    ...(once ? { once } : {}),
  };
}

function inParagraphs(paragraphs: Paragraphs): string {
  return paragraphs.filter(Boolean).join("\n\n");
}

/** What was read from a reply, and the update that says that it was asked for. */
export interface Answered<Value> {
  value: Value;
  reply: AIMessage;
  /** Part of the stage's update: what the run has used, and that there is nothing to repair. */
  asked: { repair: null; usage: Usage };
}

/**
 * Asks a model a question, within the limits of the run, and reads its reply. One that cannot be used is asked for
 * again, with what was wrong; `end` is the update with which the stage comes to its end in that case, or when a
 * limit forbids to ask.
 *
 * @param options.instead what the stage comes to without the model, when its replies stay unusable; without it the
 * run ends with status `error`
 * @param options.at the stage that asks, where it is not the question's own; defaults to the question's stage
 * @param options.problem what the model is told of its last reply, where that could be used by its form
 * @param options.givesUp what it comes to after this unusable reply already; undefined to ask again
 */
export async function askFor<Stage extends string, Input extends { background?: string }, Value>(
  question: Question<Stage, Input, Value>,
  options: {
    state: GraphState;
    context: Context;
    config: LangGraphRunnableConfig;
    input: Input;
    tools?: BoundTool[];
    toolChoice?: string;
    instead?: StateUpdate;
    at?: string;
    problem?: string;
    givesUp?: (unusable: { reply: AIMessage; attempts: number }) => StateUpdate | undefined;
  },
): Promise<Answered<Value> | { end: StateUpdate }> {
  const { state, context, config, input, tools, toolChoice, instead, givesUp } = options;
  const { at: stage = question.stage } = options;
  const problem = problemAt(state, stage) ?? options.problem;
  const prompt = promptOf(question, { input, problem });
  const said = await askModel(state, { prompt, context, config, tools, toolChoice }, stage);
  if ("end" in said) return said;
  const { reply, usage } = said;
  const reading = await readWith(question, { reply, input });
  if ("problem" in reading) {
    const { problem } = reading;
    const end = givesUp?.({ reply, attempts: attemptsAt(state, stage) + 1 });
    if (end) return { end: { ...end, repair: null, usage } };
    return { end: repairOrEnd({ state, stage, problem, reply, usage, instead }) };
  }
  return { value: reading.value, reply, asked: { repair: null, usage } };
}

function readWith<Input extends { background?: string }, Value>(
  { read, stage }: Question<string, Input, Value>,
  { reply, input }: { reply: AIMessage; input: Input },
): Reading<Value> | Promise<Reading<Value>> {
  if (!read) throw new TypeError(`the question of ${stage} says neither form nor how it is read`);
  return read(reply, input);
}
