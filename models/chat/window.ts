import { estimateTokens } from "../../common/tokens.js";
import { tokensOf } from "../../state/shortened.js";
import type { ModelRequest } from "../prompt.js";
import { exceedsWindow, wordsOf } from "./failures.js";

/** What is known of the window of a model: tokens as estimated here, which differ from those of the model. */
interface Window {
  /** Most tokens of a prompt. */
  prompt: number;
  /** Most tokens of a reply, where the window is smaller than twice what a reply may have. */
  reply: number;
}

const NO_LIMIT: Window = { prompt: Infinity, reply: Infinity };

/** Windows that this process has learnt from refusals, by model and endpoint. */
const learnt = new Map<string, Window>();

/** What is left of a window for prompts that take more tokens than estimated. */
const MARGIN = 0.95;

/**
 * A question within the model's window: as the model's profile says, and as the endpoint has refused longer ones.
 *
 * @param options.profile most tokens of a prompt and its reply, if LangChain knows them
 */
export async function withinWindow(
  question: ModelRequest,
  { connection, profile = Infinity }: { connection: string; profile?: number },
): Promise<{ question: ModelRequest; shortened: number }> {
  const { prompt, reply } = learnt.get(connection) ?? NO_LIMIT;
  const { maxOutputTokens } = question.settings;
  const known = (profile - maxOutputTokens) * MARGIN;
  const settings = { ...question.settings, maxOutputTokens: Math.min(maxOutputTokens, reply) };
  const excess = tokensOfQuestion(question) - Math.min(prompt, known);
  const most = tokensOf(question.prompt.messages) - excess;
  const shorter = excess > 0 ? await question.prompt.within?.(most) : undefined;
  if (!shorter?.shortened) return { question: { ...question, settings }, shortened: 0 };
  const { messages, shortened } = shorter;
  return {
    question: { ...question, settings, prompt: { ...question.prompt, messages } },
    shortened,
  };
}

/**
 * Learns from a refusal of a question how long its prompt may be; false if the refusal has another reason, or if the
 * question cannot become shorter.
 *
 * @param asked the question as it was sent
 */
export async function learnsWindow(
  error: unknown,
  asked: ModelRequest,
  connection: string,
): Promise<boolean> {
  const { settings, prompt } = asked;
  const sent = { tokens: tokensOfQuestion(asked), reply: settings.maxOutputTokens };
  const window = windowAfter(error, sent);
  if (!window) return false;
  const known = learnt.get(connection) ?? NO_LIMIT;
  learnt.set(connection, { ...window, reply: Math.min(window.reply, known.reply) });
  if (window.reply < sent.reply) return true;
  const shorter = await prompt.within?.(tokensOf(prompt.messages) + window.prompt - sent.tokens);
  return shorter !== undefined && tokensOf(shorter.messages) < tokensOf(prompt.messages);
}

/**
 * The window that a refusal tells of; undefined if it has another reason. Without usable numbers, half of what was sent.
 *
 * @param sent the estimated tokens of what was sent, and how many the reply might have had
 */
export function windowAfter(
  error: unknown,
  sent: { tokens: number; reply: number },
): Window | undefined {
  if (!(error instanceof Error) || !exceedsWindow(error)) return undefined;
  const told = numbersIn(wordsOf(error), sent.reply);
  if (!told) return { prompt: Math.floor(sent.tokens / 2), reply: Infinity };
  const { limit, counted, withReply } = told;
  const reply = withReply && sent.reply >= limit / 2 ? Math.floor(limit / 4) : Infinity;
  const room = limit - (withReply ? Math.min(reply, sent.reply) : 0);
  return { prompt: Math.floor(((sent.tokens * room) / counted) * MARGIN), reply };
}

const NUMBER = String.raw`(?<![\w.,-])(\d{2,}|\d{1,3}(?:,\d{3})+)(?!\w)`;

/** Where a refusal says how much would fit, from the surest on. */
const LIMITS = [
  String.raw`>\s*${NUMBER}`,
  String.raw`${NUMBER}\s+(?:tokens?\s+)?max`,
  String.raw`(?:max|limit|allowed|available|window|size)\D{0,60}?${NUMBER}`,
].map((pattern) => new RegExp(pattern, "gi"));

/** What a refusal says: how much would fit, how much was sent, and whether the reply is to fit as well. */
function numbersIn(message: string, reply: number) {
  // Clients put the status before the message.
  const text = message.replace(/^\d{3} /, "");
  const limits = LIMITS.flatMap((pattern) => valuesOf(text, pattern));
  const limit = limits.find((value) => value !== reply) ?? limits[0];
  if (limit === undefined) return undefined;
  const others = valuesOf(text, new RegExp(NUMBER, "g"));
  others.splice(others.indexOf(limit), 1);
  const withReply = others.includes(reply);
  const counts = others.filter((value) => value !== reply && value !== limit);
  const counted = withReply ? Math.min(...counts) : Math.max(...counts);
  if (counts.length === 0 || counted + (withReply ? reply : 0) <= limit) return undefined;
  return { limit, counted, withReply };
}

function valuesOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, digits = ""]) => Number(digits.replaceAll(",", "")));
}

function tokensOfQuestion({ prompt, tools = [] }: ModelRequest): number {
  const around = JSON.stringify([tools, prompt.schema ?? ""]);
  return tokensOf(prompt.messages) + estimateTokens(around);
}
