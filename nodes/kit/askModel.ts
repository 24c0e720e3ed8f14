import { AIMessage } from "@langchain/core/messages";
import { LONGEST_MESSAGE, LONGEST_PHRASE, MOST_CALLS, MOST_PHRASES } from "../../common/bounds.js";
import { clipped, counted, shortened } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import {
  type GraphState,
  type StateUpdate,
  type Usage,
  type Ledger,
  addUsage,
} from "../../state/state.js";
import type { ModelRequest } from "../../models/prompt.js";
import type { Unfinished } from "../../models/chat/unfinished.js";
import { leftOf } from "../../state/ledger.js";

/** A reply and the run's usage so far, or the update that ends the run instead. */
export type Asked = { reply: AIMessage; usage: Usage } | { end: StateUpdate };

/**
 * Asks a model at a stage. The run ends if a limit forbids asking (`respond` then reports what was found), if a
 * dollar budget does not cover it, or if the provider reports that the model refused. An unfinished or overlong
 * reply is asked for again; if the stage asks only once, it is empty or cut.
 *
 * @param options.at the stage under which the node asks again, if it uses another stage's prompt
 * @param options.instead the update if all replies are unfinished
 */
export async function askModel(
  state: GraphState,
  question: Omit<ModelRequest, "usage" | "dollarsLeft">,
  { at: stage = question.prompt.stage, instead }: { at?: string; instead?: StateUpdate } = {},
): Promise<Asked> {
  const { ledger, usage: before } = state;
  const inDollars = ledger?.enforced && ledger.unit === "usd";
  const dollarsLeft = inDollars ? leftOf(state) : undefined;
  // Loaded at the first question: clients of models take long.
  const { ask } = await import("../../models/chat/ask.js");
  const answer = await ask({ ...question, usage: before, dollarsLeft });
  if ("unaffordable" in answer)
    return { end: outOfMoney(state, { what: "a reply of the model", price: answer.unaffordable }) };
  if ("limit" in answer) {
    const text = `Stopped by ${answer.limit} before the request was answered.`;
    return { end: { status: "limit", answer: text } };
  }
  const usage = addUsage(state.usage, answer.used);
  if ("unfinished" in answer) {
    if (question.prompt.once) return { reply: new AIMessage(""), usage };
    const { maxOutputTokens } = question.settings;
    const { unfinished } = answer;
    return { end: askedForWhole({ state, stage, unfinished, maxOutputTokens, usage, instead }) };
  }
  const refusal = answer.reply.additional_kwargs["refusal"];
  if (typeof refusal === "string" && refusal)
    return { end: { repair: null, status: "unsolved", answer: refusal, usage } };
  const tooMuch = excessOfReply(answer.reply);
  if (!tooMuch) return { reply: answer.reply, usage };
  if (question.prompt.once) return { reply: cut(answer.reply), usage };
  // The reply itself is not shown again: it is too long.
  const { excess, instead: wanted } = tooMuch;
  const problem = `Your last reply had ${excess}. ${wanted}`;
  const end = repairOrEnd({ state, stage, problem, usage });
  if (end.status !== "error") return { end };
  return { end: { ...end, answer: `${end.answer} It had ${excess}.` } };
}

/** Nothing of an unfinished reply is used or shown again: its beginning may say the opposite of its end. */
function askedForWhole(options: {
  state: GraphState;
  stage: string;
  unfinished: Unfinished;
  maxOutputTokens: number;
  usage: Usage;
  instead?: StateUpdate;
}): StateUpdate {
  const { unfinished, maxOutputTokens, ...question } = options;
  const { why, tokens, isThought } = unfinished;
  const hasBeenCut = unusableIn(question.state) > 0;
  const [what, again] = {
    length: isThought
      ? [`was cut off after ${tokens} tokens of thoughts`, "Think briefly, then reply."]
      : [`was cut off after ${tokens} tokens`, hasBeenCut ? SHORTEST : SHORTER],
    filter: ["was stopped by the provider's filter", "Reply again in other words."],
    broken: ["broke off before its end", "Reply again in full."],
  }[why] as [string, string];
  const problem = `Your last reply ${what}, so nothing in it was run. ${again}`;
  const update = repairOrEnd({ ...question, problem });
  if (update.status !== "error") return update;
  const answer = `Stopped after ${MAX_ATTEMPTS} unusable replies of the model in a row. The last one ${what}. Nothing in these replies was run.`;
  if (why !== "length") return { ...update, answer };
  const hint = `Raise maxOutputTokens (now ${maxOutputTokens}), or ask for less at once.`;
  return { ...update, status: "limit", answer: `${answer} ${hint}` };
}

const SHORTER = "Reply again, in full but shorter.";

/** To the same words, a model without temperature gives the same reply. */
const SHORTEST = "Reply with a few lines at most, or with one call alone.";

function cut({ id, text, usage_metadata, response_metadata }: AIMessage): AIMessage {
  const content = shortened(text, LONGEST_MESSAGE);
  return new AIMessage({ id, content, usage_metadata, response_metadata });
}

/** The end of a run whose budget does not cover the next step. */
export function outOfMoney({ ledger }: GraphState, lacked: Ledger["refused"][number]): StateUpdate {
  return {
    status: "budget",
    answer: "Stopped by the budget before the request was answered.",
    ...(ledger ? { ledger: { ...ledger, refused: [...ledger.refused, lacked] } } : {}),
  };
}

const MAX_ATTEMPTS = 3;

const SHOWN_TO_MODEL = 1000;

const SHOWN_TO_USER = 200;

/**
 * The update after an unusable reply: the stage is revisited, and the model is shown its reply and what was
 * wrong. After three such replies the stage does without if it can; otherwise the run ends with status `error`.
 */
export function repairOrEnd(options: {
  state: GraphState;
  stage: string;
  /** For the model: what was wrong and what to reply instead. */
  problem: string;
  /** Absent if it was empty. */
  reply?: AIMessage;
  /** What the run has used, including the unusable reply. */
  usage: Usage;
  /** The stage's update without the model. */
  instead?: StateUpdate;
}): StateUpdate {
  const { state, stage, problem, reply, usage, instead } = options;
  const attempts = unusableIn(state) + 1;
  const said = reply ? saidIn(reply) : "";
  if (mayAskAgain(state)) {
    const shown = said ? { reply: clipped(said, SHOWN_TO_MODEL) } : {};
    return { repair: { stage, problem, attempts, ...shown }, usage };
  }
  if (instead) return { ...instead, repair: null, usage };
  const last = said ? ` The last one was: ${clipped(oneLine(said), SHOWN_TO_USER)}` : "";
  const answer = `The model gave no usable reply at ${stage}, ${attempts} times in a row.${last}`;
  return { repair: null, status: "error", answer, usage };
}

/** How many unusable replies the model gave in a row, whatever was wrong with each: faults in turn end, too. */
export function unusableIn({ repair }: GraphState): number {
  return repair?.attempts ?? 0;
}

/** Whether the model is asked again if this reply is unusable. */
export function mayAskAgain(state: GraphState): boolean {
  return unusableIn(state) + 1 < MAX_ATTEMPTS;
}

/** What to tell the model about its last reply at this stage, if that was unusable. */
export function problemAt({ repair }: GraphState, stage: string): string | undefined {
  if (repair?.stage !== stage) return undefined;
  const { reply, problem } = repair;
  return reply ? `Your last reply was:\n"""\n${reply}\n"""\n\n${problem}` : problem;
}

function saidIn({ text, tool_calls = [], invalid_tool_calls = [] }: AIMessage): string {
  const calls = tool_calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  const invalid = invalid_tool_calls.map(({ name, args }) => `${name}(${args})`);
  return [text.trim(), ...calls, ...invalid].filter(Boolean).join("\n");
}

/** What a reply has too much of, and what the model should do about it. */
interface Excess {
  excess: string;
  instead: string;
}

/** What exceeds the limits of any reply, if anything. */
function excessOfReply(reply: AIMessage): Excess | undefined {
  const { text, tool_calls = [], invalid_tool_calls = [] } = reply;
  const calls = tool_calls.length + invalid_tool_calls.length;
  if (calls > MOST_CALLS) {
    return {
      excess: `${counted(calls)} calls, and at most ${MOST_CALLS} can be made at once`,
      instead: "None was made; send the first ones.",
    };
  }
  const written = [...tool_calls.map(({ args }) => JSON.stringify(args)), text];
  const unread = invalid_tool_calls.map(({ args = "" }) => args);
  const length = [...written, ...unread].reduce((sum, part) => sum + part.length, 0);
  if (length <= LONGEST_MESSAGE) return undefined;
  return {
    excess: `${counted(length)} characters, and at most ${counted(LONGEST_MESSAGE)} are read`,
    instead: "Send a shorter reply.",
  };
}

/** What exceeds the limits of one search, if anything. */
export function excessOfPhrases(phrases: readonly string[]): string | undefined {
  if (phrases.length > MOST_PHRASES)
    return `at most ${MOST_PHRASES} phrases can be searched for at once, not ${counted(phrases.length)}`;
  const length = Math.max(0, ...phrases.map((phrase) => phrase.length));
  if (length <= LONGEST_PHRASE) return undefined;
  return `a phrase to search for has at most ${counted(LONGEST_PHRASE)} characters, and one has ${counted(length)}; say it in a few words`;
}
