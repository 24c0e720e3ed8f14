import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { UnknownName } from "../../common/errors.js";
import { hideIn } from "../../common/secrets.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import { hostedProviders } from "../hosted.js";
import {
  type ChatSettings,
  type StructuredReplies,
  chatProvider,
  connectionOf,
  parseModelSpec,
  registerChatProvider,
} from "../providers.js";

export interface OpenChatModel {
  spec: string;
  chat: BaseChatModel;
  structuredReplies: StructuredReplies;
  maxTools?: number;
}

for (const [name, provider] of hostedProviders()) registerChatProvider(name, provider);

registerChatProvider(parseModelSpec(OFFLINE_MODEL).provider, {
  structuredReplies: "stage",
  makeChat: async (wanted) => {
    const available = [parseModelSpec(OFFLINE_MODEL).model];
    if (!available.includes(wanted))
      throw new UnknownName({ kind: "offline model", wanted, available });
    const { offlinePlanner } = await import("../offline/planner.js");
    return offlinePlanner();
  },
});

const openModels = new Map<string, Promise<OpenChatModel>>();

/**
 * Opens a chat model by its name; the same name and settings give the same client while its key and endpoint in
 * the environment stay the same.
 *
 * @throws ModelFailed when its key or its package is missing
 * @throws UnknownName for a provider that does not exist
 */
export async function openChatModel(spec: string, settings: ChatSettings): Promise<OpenChatModel> {
  const { provider } = chatProvider(spec);
  const key = JSON.stringify([spec, settings, connectionOf(provider)]);
  const open = openModels.get(key) ?? makeOpen(spec, settings);
  openModels.set(key, open);
  // Failures are not kept: what was missing may exist next time.
  open.catch(() => openModels.delete(key));
  return open;
}

/** A model's name with its endpoint, to distinguish models of the same name. */
export function connectionTo(spec: string): string {
  return JSON.stringify([spec, connectionOf(chatProvider(spec).provider)]);
}

async function makeOpen(spec: string, settings: ChatSettings): Promise<OpenChatModel> {
  const { provider, model } = chatProvider(spec);
  const chat = await withCleanErrors(await provider.makeChat(model, settings));
  const { structuredReplies, maxTools } = provider;
  return { spec, chat, structuredReplies, maxTools };
}

/**
 * A client whose errors have no secrets, though a provider may repeat the key that it was sent. Traces and callbacks are
 * told of an error before `ask` is.
 */
async function withCleanErrors(chat: BaseChatModel): Promise<BaseChatModel> {
  const { BaseChatModel: Base } = await import("@langchain/core/language_models/chat_models");
  const clean = (model: BaseChatModel): BaseChatModel => {
    const generate = model._generate.bind(model);
    model._generate = async (...asked) => await generate(...asked).catch(rethrow);
    const stream = model._streamResponseChunks.bind(model);
    if (streams(model))
      model._streamResponseChunks = async function* (...asked) {
        try {
          yield* stream(...asked);
        } catch (error) {
          rethrow(error);
        }
      };
    // Some clients make another one of themselves for each configuration.
    const withConfig = model.withConfig.bind(model);
    model.withConfig = (config) => {
      const made = withConfig(config);
      if (made instanceof Base) clean(made);
      return made;
    };
    return model;
  };
  const own = Reflect.get(Base.prototype, "_streamResponseChunks") as unknown;
  const streams = (model: object) => Reflect.get(model, "_streamResponseChunks") !== own;
  // One of another copy of LangChain stays as it is.
  return chat instanceof Base ? clean(chat) : chat;
}

function rethrow(error: unknown): never {
  hideIn(error);
  throw error;
}
