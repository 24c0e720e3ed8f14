import {
  type AIMessage,
  type ContentBlock,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { BoundTool, Prompt, Reply } from "../../models/prompt.js";
import type { Settings } from "../../state/settings.js";
import type { GraphState, StateUpdate, Usage } from "../../state/state.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { type EarlierTurn, picturesIn, UNSEEN_PICTURE } from "../../state/history.js";
import { askModel, problemAt, repairOrEnd, unusableIn } from "./askModel.js";
import { backgroundText } from "./promptTexts.js";
import type { Reading, ReplyForm } from "./replyForm.js";

/** Paragraphs of a prompt; falsy ones are left out. */
export type Paragraphs = readonly (string | number | boolean | undefined)[];

/** What a prompt tells of the run besides the task, where the input of a question has it. */
interface ToldInput {
  background?: string;
  /** The user's own instructions for the agent. */
  instructions?: string;
  earlierTurns?: EarlierTurn[];
}

/** What a stage asks a model: the words, the form of the reply and how to read it. */
export interface Question<Stage extends string, Input extends object, Value> {
  /** Its name in traces, in error messages and for rule-based models. */
  stage: Stage;
  /** What the model should do, and how. The reply form and the background are appended automatically. */
  instructions: (input: Input) => Paragraphs;
  task: (input: Input) => Paragraphs;
  /**
   * How to reply, said last where somebody else's words stand between the instructions and the task: they often demand a
   * form of their own, and small models follow what they read last. Default: the instruction of `form`, which moves there.
   */
  closing?: string;
  form?: ReplyForm<unknown>;
  /** JSON Schema of the reply, if it depends on the input, such as the tools on offer. */
  schema?: (input: Input) => JsonSchema | undefined;
  read: (reply: AIMessage, input: Input) => Reading<Value> | Promise<Reading<Value>>;
  byRules?: (input: Input) => Promise<Reply>;
  /** Ask only once: an overlong reply is cut and an unfinished one is empty, not asked for again. */
  once?: boolean;
}

/** A question without a reader, for a stage that reads the reply with more than the model was told. */
export type Asking<Stage extends string, Input extends object> = Omit<
  Question<Stage, Input, unknown>,
  "read"
>;

/**
 * A question whose reply is a JSON object of a given form.
 *
 * @example
 * const otherWords = formQuestion({
 *   stage: "paraphrase",
 *   form: replyForm(z.object({ task: z.string().trim().min(1) })),
 *   instructions: () => ["Say the task in other words."],
 *   task: ({ task }: { task: string; background?: string }) => [`Task: ${task}`],
 * });
 */
export function formQuestion<Stage extends string, Input extends object, Value>(
  asked: Omit<Question<Stage, Input, Value>, "form" | "read"> & { form: ReplyForm<Value> },
): Omit<Question<Stage, Input, Value>, "form"> & { form: ReplyForm<Value> } {
  return { ...asked, read: ({ text }) => asked.form.read(text) };
}

/**
 * A question as messages.
 *
 * @param question what to ask
 * @param options.input what is known
 * @param options.problem what was wrong with the model's last reply
 * @param options.pictures what the user shows with the request
 * @returns the prompt, for a test or a model of your own
 */
export function promptOf<Stage extends string, Input extends object>(
  question: Asking<Stage, Input>,
  options: { input: Input; problem?: string; pictures?: readonly ContentBlock[] },
): Prompt<Stage, Input> {
  const { input, problem, pictures = [] } = options;
  const { background, instructions: own, earlierTurns = [] }: ToldInput = input;
  const { stage, instructions, task, form, byRules, once } = question;
  const schema = question.schema?.(input) ?? form?.schema;
  const isBetween = Boolean(background || own);
  const closing = isBetween ? (question.closing ?? form?.instruction) : undefined;
  const system = [
    ...instructions(input),
    !isBetween && form?.instruction,
    backgroundText(background),
  ];
  const messagesFor = (told: Input) => [
    new SystemMessage(inParagraphs(system)),
    shown(inParagraphs([...task(told), closing]), pictures),
    ...(problem ? [new HumanMessage(problem)] : []),
  ];
  const messages = messagesFor(input);
  const within = async (tokens: number) => {
    const { shortenedTurns, tokensOf } = await import("../../state/shortened.js");
    const others = tokensOf(messagesFor({ ...input, earlierTurns: [] }));
    const { turns, shortened } = shortenedTurns(earlierTurns, tokens - others);
    return { messages: messagesFor({ ...input, earlierTurns: turns }), shortened };
  };
  return {
    stage,
    input,
    messages,
    ...(earlierTurns.length > 0 ? { within } : {}),
    ...(schema ? { schema } : {}),
    ...(byRules ? { byRules: () => byRules(input) } : {}),
    ...(once ? { once } : {}),
  };
}

function shown(text: string, pictures: readonly ContentBlock[]): HumanMessage {
  const content = [{ type: "text" as const, text }, ...pictures];
  return pictures.length > 0 ? new HumanMessage({ content }) : new HumanMessage(text);
}

function inParagraphs(paragraphs: Paragraphs): string {
  return paragraphs.filter(Boolean).join("\n\n");
}

/** What was read from a reply, and the update that records the asking. */
export interface Answered<Value> {
  value: Value;
  reply: AIMessage;
  /** Part of the stage's update: the run's usage, and nothing left to repair. */
  asked: { repair: null; usage: Usage };
}

/**
 * Asks a model a question within the run's limits and reads the reply. For an unusable reply, or if a limit forbids
 * asking, the stage ends with the update `end`; after an unusable reply it is revisited and says what was wrong.
 *
 * @param options.instead the update if replies stay unusable; without it the run ends with status `error`
 * @param options.at the stage that asks; defaults to the question's stage
 * @param options.problem what to tell the model of its last reply, if that had a usable form
 * @param options.givesUp the update to end with after this unusable reply; undefined to ask again
 * @returns the value read, or `end`
 */
export async function askFor<Stage extends string, Input extends object, Value>(
  question: Question<Stage, Input, Value>,
  options: {
    state: GraphState;
    settings: Settings;
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
  const { state, settings, config, input, tools, toolChoice, instead, givesUp } = options;
  const { at: stage = question.stage } = options;
  const problem = problemAt(state, stage) ?? options.problem;
  // What a price in dollars would be for pictures is not known.
  const isPriced = state.ledger?.unit === "usd";
  const pictures = picturesIn(state).map((picture): ContentBlock =>
    isPriced ? { type: "text", text: UNSEEN_PICTURE } : picture,
  );
  const prompt = promptOf(question, { input, problem, pictures });
  const asked = { prompt, settings, config, tools, toolChoice };
  const said = await askModel(state, asked, { at: stage, instead });
  if ("end" in said) return said;
  const { reply, usage } = said;
  const reading = await question.read(reply, input);
  if ("problem" in reading) {
    const { problem } = reading;
    const end = givesUp?.({ reply, attempts: unusableIn(state) + 1 });
    if (end) return { end: { ...end, repair: null, usage } };
    return { end: repairOrEnd({ state, stage, problem, reply, usage, instead }) };
  }
  return { value: reading.value, reply, asked: { repair: null, usage } };
}
