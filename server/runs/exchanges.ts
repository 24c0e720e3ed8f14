import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Serialized } from "@langchain/core/load/serializable";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { LLMResult } from "@langchain/core/outputs";
import { messageOf } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import { MODEL_KEY } from "../../models/prompt.js";
import { messagesText } from "../telemetry/tracing.js";
import type { ServerStore } from "../schema.js";
import type { Telemetry } from "../telemetry/telemetry.js";

/** What a model was told and replied in a visit of a stage. */
export interface Exchange {
  model: string;
  prompt: ExchangedMessage[];
  /** Empty if the call has failed. */
  reply: ExchangedMessage[];
  error?: string;
}

interface ExchangedMessage {
  role: string;
  parts: { content?: unknown; name?: string; arguments?: unknown }[];
}

/** What LangGraph, and our own wrapper of models, say of a call. */
interface Metadata {
  langgraph_checkpoint_ns?: string;
  [MODEL_KEY]?: string;
  ls_model_name?: string;
}

/** Longer exchanges are not kept (characters). */
const LONGEST = 1_000_000;

/** Keeps what models are told and reply in a run, for whoever may read the run; it goes when the run does. */
export class ExchangeLog extends BaseCallbackHandler {
  readonly name = "tulipgraph_exchanges";
  readonly #server: { data: ServerStore; telemetry: Telemetry };
  readonly #runId: string;
  readonly #open = new Map<string, { visit: string; model: string; prompt: ExchangedMessage[] }>();
  #written: Promise<unknown> = Promise.resolve();

  constructor(server: { data: ServerStore; telemetry: Telemetry }, runId: string) {
    super();
    this.#server = server;
    this.#runId = runId;
  }

  override handleChatModelStart(
    _model: Serialized,
    [messages = []]: BaseMessage[][],
    callId: string,
    _parent?: string,
    _extra?: Record<string, unknown>,
    _tags?: string[],
    metadata: Metadata = {},
  ): void {
    const { langgraph_checkpoint_ns: place = "", [MODEL_KEY]: ours, ls_model_name = "" } = metadata;
    // "act:ID" for a visit of a stage; one inside another graph counts for the outermost.
    const [, visit = ""] = place.split("|")[0]?.split(":") ?? [];
    this.#open.set(callId, { visit, model: ours ?? ls_model_name, prompt: exchanged(messages) });
  }

  override handleLLMEnd({ generations }: LLMResult, callId: string): void {
    const first = generations[0]?.[0];
    const reply = first && "message" in first ? [first.message as AIMessage] : [];
    this.#keep(callId, { reply: exchanged(reply) });
  }

  override handleLLMError(error: unknown, callId: string): void {
    this.#keep(callId, { reply: [], error: withoutSecrets(messageOf(error)) });
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.#written;
  }

  #keep(callId: string, end: Pick<Exchange, "reply" | "error">): void {
    const open = this.#open.get(callId);
    this.#open.delete(callId);
    if (!open) return;
    const { visit, ...begun } = open;
    const exchange = JSON.stringify({ ...begun, ...end } satisfies Exchange);
    if (exchange.length > LONGEST) return;
    const row = { run_id: this.#runId, visit, at: Date.now(), exchange };
    // The run does not wait for it, and goes on without it.
    this.#written = this.#written.then(() => this.#write(row));
  }

  async #write(row: { run_id: string; visit: string; at: number; exchange: string }) {
    const { data, telemetry } = this.#server;
    try {
      await data.together(data.db.insertInto("exchanges").values(row));
    } catch (error) {
      const problem = messageOf(error);
      telemetry.log({ level: "warn", event: "exchange_not_kept", runId: this.#runId, problem });
    }
  }
}

function exchanged(messages: readonly BaseMessage[]): ExchangedMessage[] {
  return JSON.parse(messagesText(messages)) as ExchangedMessage[];
}
