import { isDeepStrictEqual } from "node:util";
import { AIMessage, HumanMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { type ModelRequest, type Prompt, MODEL_KEY } from "../prompt.js";
import type { Settings } from "../../state/settings.js";
import type { Usage } from "../../state/state.js";
import { pictureType } from "../../common/fileNames.js";
import { InvalidSetting, ModelFailed } from "../../common/errors.js";
import { withoutOwnSecrets } from "../../common/secrets.js";
import { wireParameters } from "../../common/schemas/argumentNames.js";
import { refusesTools, rememberWay, wayOfCalls, withCallsAsText } from "./callsAsText.js";
import { type OpenChatModel, connectionTo, openChatModel } from "./chat.js";
import { ReplyNotRecorded, replyKeepers } from "./keptReplies.js";
import { modelFailure, noReply, timedOut } from "./failures.js";
import {
  type Price,
  chatDollars,
  priceOf,
  unknownPrice,
  LEAST_CACHED,
  isLocalModel,
} from "../prices.js";
import { assembleReply, changedReply, readStream, withText, withoutCalls } from "./reply.js";
import { withTextCalls } from "./textCalls.js";
import { withoutThoughts } from "./thoughts.js";
import { type Unfinished, unfinishedReply } from "./unfinished.js";
import { learnsWindow, withinWindow } from "./window.js";
import { createHash } from "node:crypto";
import { estimateTokens } from "../../common/tokens.js";
import { parseModelSpec } from "../providers.js";
import { sharedStart } from "../../common/nearNames.js";

/**
 * A model's reply and what it used; or why it is not whole, so that nothing of it is used; or the limit of the run that
 * forbids asking; or the cost of the most expensive possible reply, if a budget in dollars does not cover it.
 */
export type Answer =
  | { reply: AIMessage; used: Partial<Usage> }
  | { unfinished: Unfinished; used: Partial<Usage> }
  | { limit: string }
  | { unaffordable: number };

/**
 * The one way to ask a model: checks the limits of the run, binds tools or the reply's schema, and counts the
 * call. Replies are streamed, so that users see them arrive, and assembled here, without the model's thoughts. Calls
 * written as text are read as calls; a model known not to take tools is asked for calls as text.
 *
 * @throws ModelFailed when the model cannot be reached, refuses, or does not finish in time
 * @throws InvalidSetting when there are more tools than the provider allows
 * @throws the reason of the config's signal if aborted
 */
export async function ask(question: ModelRequest): Promise<Answer> {
  const limit = limitMet(question);
  if (limit) return { limit };
  const connection = connectionTo(question.settings.model);
  const way = wayOfCalls(question, connection);
  const price = question.dollarsLeft === undefined ? undefined : await priceOfReplies(question);
  const keeper = replyKeepers.getStore();
  const opened = keeper?.isReplay ? undefined : await openModel(question, way);
  const profile = opened?.chat.profile;
  const within = await withinWindow(question, { connection, profile: profile?.maxInputTokens });
  const fitted = within.question;
  const sent = way === "text" ? withCallsAsText(fitted) : fitted;
  const atMost = price
    ? chatDollars(price, {
        inputTokens: mostTokens(sent),
        outputTokens: sent.settings.maxOutputTokens,
      })
    : 0;
  if (atMost > (question.dollarsLeft ?? Infinity)) return { unaffordable: atMost };
  const model = opened && (await openModel(sent, way));
  const started = performance.now();
  const deadline = AbortSignal.timeout(replyMs(question));
  try {
    const asked = async () => await send(model ?? (await openModel(sent, way)), sent, deadline);
    const raw = withoutOwnSecretsOf(keeper ? await keeper.reply(sent, asked) : await asked());
    const tokens = usageOf({ reply: raw, question: sent });
    const usd = price ? { usd: chatDollars(price, tokens) } : {};
    const { shortened } = within;
    const used = {
      ...tokens,
      ...usd,
      modelCalls: 1,
      ms: performance.now() - started,
      ...(shortened ? { shortened } : {}),
    };
    const text = withoutThoughts(raw.text);
    const maxTokens = sent.settings.maxOutputTokens;
    const unfinished = unfinishedReply({ reply: raw, text, maxTokens });
    if (unfinished && !raw.additional_kwargs["refusal"]) return { unfinished, used };
    return { reply: withCalls(withText(raw, text), question, connection), used };
  } catch (error) {
    const { config, settings } = question;
    config.signal?.throwIfAborted();
    if (error instanceof ReplyNotRecorded) throw error;
    if (way === "native" && refusesTools(error)) {
      rememberWay(connection, "text", true);
      return ask(question);
    }
    if (await learnsWindow(error, fitted, connection)) return ask(question);
    if (!deadline.aborted) throw modelFailure({ spec: settings.model, error });
    if (millisecondsLeft(question) <= settings.modelTimeoutMs)
      return { limit: timeLimit(settings) };
    throw timedOut({ spec: settings.model, ms: settings.modelTimeoutMs });
  }
}

/** A reply without the key that it was asked for with, which some endpoints repeat. */
function withoutOwnSecretsOf(reply: AIMessage): AIMessage {
  const { content, tool_calls, invalid_tool_calls, additional_kwargs, response_metadata } = reply;
  const said = { content, tool_calls, invalid_tool_calls, additional_kwargs, response_metadata };
  const hidden = withoutOwnSecrets(said);
  return isDeepStrictEqual(hidden, said) ? reply : changedReply(reply, hidden);
}

/** The reply with its calls, wherever they are; remembers how the model wrote them. */
function withCalls(raw: AIMessage, question: ModelRequest, connection: string): AIMessage {
  const { tools = [], toolChoice, prompt } = question;
  const { callable = [] } = question.found ?? {};
  const known = [...tools, ...callable];
  const said = withTextCalls({ reply: raw, tools: known, toolChoice, asked: prompt.messages });
  if (raw.tool_calls?.length) rememberWay(connection, "native", true);
  else if (said !== raw) rememberWay(connection, "text", false);
  for (const call of said.tool_calls ?? []) {
    const tool = tools.find(({ name }) => name === call.name);
    if (tool) call.args = wireParameters(tool.parameters).read(call.args);
  }
  return question.found?.read(said) ?? said;
}

function limitMet(question: ModelRequest): string | undefined {
  const { settings, usage } = question;
  if (usage.modelCalls >= settings.maxModelCalls)
    return `the limit of ${settings.maxModelCalls} model calls (maxModelCalls)`;
  return millisecondsLeft(question) <= 0 ? timeLimit(settings) : undefined;
}

function timeLimit({ maxSeconds }: Settings): string {
  return `the limit of ${maxSeconds} seconds (maxSeconds)`;
}

function millisecondsLeft({ settings, usage }: ModelRequest): number {
  return settings.maxSeconds * 1000 - usage.ms;
}

/** Longer timers fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time for a reply including retries. A client's own time-out ends with the first chunk. */
function replyMs(question: ModelRequest): number {
  const { modelTimeoutMs } = question.settings;
  return Math.min(modelTimeoutMs, Math.ceil(millisecondsLeft(question)), LONGEST_TIMER_MS);
}

/** @throws InvalidSetting when the model's price is unknown, so that a budget could not be kept */
async function priceOfReplies(question: ModelRequest): Promise<Price> {
  const spec = question.settings.model;
  const price = await priceOf(spec);
  if (!price) throw unknownPrice(spec);
  return price;
}

async function openModel(question: ModelRequest, way: "native" | "text"): Promise<OpenChatModel> {
  const { settings, tools = [] } = question;
  const model = await openChatModel(question.settings.model, {
    temperature: settings.temperature,
    seed: settings.seed,
    maxOutputTokens: settings.maxOutputTokens,
  });
  if (way === "native" && model.maxTools !== undefined && tools.length > model.maxTools) {
    throw new InvalidSetting({
      setting: "tools",
      problem: `${tools.length} tools are too many for ${model.spec}, which takes at most ${model.maxTools}`,
      hint: "use a graph that searches for tools, such as cot_tulip, or a smaller topK",
    });
  }
  return model;
}

async function send(
  model: OpenChatModel,
  question: ModelRequest,
  deadline: AbortSignal,
): Promise<AIMessage> {
  const { prompt, config, settings } = question;
  const isEnough = new AbortController();
  const signal = AbortSignal.any([deadline, ...(config.signal ? [config.signal] : [])]);
  const callOptions = {
    ...config,
    // Messages between stages are not part of the conversation that users follow.
    tags: [...(config.tags ?? []), ...(prompt.stage === "act" ? [] : ["nostream"])],
    metadata: { ...config.metadata, [MODEL_KEY]: model.spec },
    signal: AbortSignal.any([signal, isEnough.signal]),
    ...(model.structuredReplies === "stage" ? rulesOptions(prompt) : {}),
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
  };
  if (prompt.schema && model.structuredReplies === "provider") {
    const structured = model.chat.withStructuredOutput(prompt.schema, {
      name: prompt.stage,
      includeRaw: true,
    });
    const { raw, parsed } = await structured.invoke(prompt.messages, callOptions);
    // The parsed reply becomes the content, so that all providers' replies are read the same way.
    return new AIMessage({
      content: parsed ? JSON.stringify(parsed) : raw.text,
      additional_kwargs: withoutCalls(raw.additional_kwargs),
      response_metadata: raw.response_metadata,
      usage_metadata: AIMessage.isInstance(raw) ? raw.usage_metadata : undefined,
    });
  }
  const all = [...prompt.messages, ...(await shownPictures(model, question))];
  const { messages, options } = withCacheHelp(model.spec, all);
  const parts = await bind(model, question).stream(messages, { ...callOptions, ...options });
  const whole = await readStream({ parts, signal, maxTokens: settings.maxOutputTokens });
  // Stops receiving a reply that is too long.
  isEnough.abort();
  if (!whole) throw noReply(model.spec);
  return assembleReply({ reply: whole, asked: prompt.messages });
}

/** What a price in dollars would be for pictures is not known, so with a budget in dollars they stay names. */
async function shownPictures(
  { chat }: OpenChatModel,
  { prompt, dollarsLeft }: ModelRequest,
): Promise<HumanMessage[]> {
  const isSeeing = chat.profile?.imageInputs === true && dollarsLeft === undefined;
  const pictures = (isSeeing && (await prompt.pictures?.())) || [];
  if (pictures.length === 0) return [];
  const contentBlocks = pictures.flatMap(({ name, data }) => [
    { type: "text" as const, text: `${name}:` },
    { type: "image" as const, mimeType: pictureType(name) ?? "", data: data.toString("base64") },
  ]);
  return [new HumanMessage({ contentBlocks })];
}

/** Options for models that do not read prompts. Traces record options unredacted, so the input is hidden from JSON. */
function rulesOptions({ stage, input, byRules }: Prompt) {
  const untraced = Object.defineProperty({ ...input }, "toJSON", { value: () => undefined });
  return { stage, input: untraced, ...(byRules ? { byRules } : {}) };
}

function bind(model: OpenChatModel, { prompt, tools = [], toolChoice, found }: ModelRequest) {
  if (prompt.schema && model.structuredReplies === "responseFormat") {
    const json_schema = { name: prompt.stage, schema: prompt.schema, strict: true };
    return model.chat.withConfig({
      response_format: { type: "json_schema", json_schema },
    } as object);
  }
  if (tools.length === 0) return model.chat;
  if (!model.chat.bindTools) {
    throw new ModelFailed({
      model: model.spec,
      problem: "cannot call tools",
      hint: "choose another model",
    });
  }
  const functions = tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters: wireParameters(parameters).parameters },
  }));
  return model.chat.bindTools(found?.sent(functions) ?? functions, {
    ...(toolChoice ? { tool_choice: toolChoice } : {}),
    ...found?.settings,
  });
}

/**
 * What helps a provider to find the beginning of a prompt in its cache: Anthropic caches up to a mark, and a conversation that
 * goes on up to its end; OpenAI sends requests with one key to the same machine. Other providers, and beginnings too short
 * for any cache, need nothing.
 *
 * @param spec the model as "provider:name"
 */
export function withCacheHelp(
  spec: string,
  messages: BaseMessage[],
): { messages: BaseMessage[]; options: { promptCacheKey?: string; cache_control?: object } } {
  const [first, ...others] = messages;
  const { provider } = parseModelSpec(spec);
  const isCached =
    first !== undefined &&
    SystemMessage.isInstance(first) &&
    estimateTokens(first.text) >= LEAST_CACHED;
  if (isCached && provider === "openai")
    return {
      messages,
      options: {
        promptCacheKey: createHash("sha256").update(first.text).digest("hex").slice(0, KEY_LENGTH),
      },
    };
  if (provider !== "anthropic") return { messages, options: {} };
  const isLong = estimateTokens(messages.map(({ text }) => text)) >= LEAST_CACHED;
  const goesOn = isLong && others.some((message) => AIMessage.isInstance(message));
  const options = goesOn ? { cache_control: EPHEMERAL } : {};
  if (!isCached) return { messages, options };
  const marked = { type: "text", text: first.text, cache_control: EPHEMERAL };
  return { messages: [new SystemMessage({ content: [marked] }), ...others], options };
}

const EPHEMERAL = { type: "ephemeral" };

const KEY_LENGTH = 32;

/** The tokens a call used: as the provider reports, else estimated and marked as such. */
function usageOf(options: { reply: AIMessage; question: ModelRequest }): Partial<Usage> {
  const { reply, question } = options;
  const reported = reply.usage_metadata;
  if (reported) {
    const { input_tokens: inputTokens } = reported;
    const told = reported.input_token_details?.cache_read;
    const cachedTokens = told ?? likelyCached(question, inputTokens);
    return {
      inputTokens,
      ...(cachedTokens > 0 ? { cachedTokens } : {}),
      ...(cachedTokens > 0 && told === undefined ? { cacheEstimated: true } : {}),
      outputTokens: reported.output_tokens,
      ...(reply.response_metadata["estimatedUsage"] ? { estimated: true } : {}),
    };
  }
  const { prompt, tools = [] } = question;
  return {
    inputTokens: estimateTokens(
      JSON.stringify([prompt.messages.map(parts), tools, prompt.schema ?? ""]),
    ),
    outputTokens: estimateTokens(JSON.stringify(parts(reply))),
    estimated: true,
  };
}

/** The last prompts to each model, the latest last. */
const PROMPTS = new Map<string, string[]>();

/** Most prompts of a model that are compared, and most characters of each. */
const MOST_KEPT = { prompts: 32, characters: 100_000 };

/** Providers keep beginnings in blocks of this many tokens. */
const BLOCK = 128;

/**
 * An estimate of the tokens that a provider has read from its cache: those of the longest beginning that an earlier prompt of
 * this process had, too, in whole blocks. 0 for models that nobody sells.
 */
function likelyCached({ prompt, tools = [], settings }: ModelRequest, tokens: number): number {
  const { model } = settings;
  if (isLocalModel(model)) return 0;
  const whole = JSON.stringify([tools, prompt.messages.map(parts)]);
  const text = whole.slice(0, MOST_KEPT.characters);
  const before = PROMPTS.get(model) ?? [];
  let common = 0;
  // Most prompts differ at the same place: at the first letter of the request.
  for (const one of before)
    if (one[common] === text[common]) common = Math.max(common, sharedStart([one, text]).length);
  PROMPTS.set(model, [...before, text].slice(-MOST_KEPT.prompts));
  const shared = Math.floor((tokens * common) / whole.length / BLOCK) * BLOCK;
  return shared >= LEAST_CACHED ? shared : 0;
}

/** Tokens that a provider may add around a message, a tool or a reply's schema. */
const TOKENS_AROUND = 16;

/** An upper bound of a question's tokens for any tokenizer: none makes more tokens than bytes. */
function mostTokens({ prompt, tools = [] }: Pick<ModelRequest, "prompt" | "tools">): number {
  const shown = [prompt.messages.map(parts), tools, prompt.schema ?? ""];
  const around = TOKENS_AROUND * (prompt.messages.length + tools.length + 1);
  return Buffer.byteLength(JSON.stringify(shown)) + around;
}

function parts(message: BaseMessage): unknown[] {
  const { text } = message;
  return AIMessage.isInstance(message)
    ? [text, message.tool_calls, message.invalid_tool_calls]
    : [text];
}
