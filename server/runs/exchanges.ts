import type { BaseMessage } from "@langchain/core/messages";
import { messageOf } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import type { ServerStore } from "../schema.js";
import type { TracedEvent } from "../telemetry/runTrace.js";
import type { Telemetry } from "../telemetry/telemetry.js";
import { messagesText } from "../telemetry/tracing.js";

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

/** Longer exchanges are not kept (characters). */
const LONGEST = 1_000_000;

/** Keeps what models are told and reply in a run, for whoever may read the run; it goes when the run does. */
export class ExchangeLog {
  #written: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly server: { data: ServerStore; telemetry: Telemetry },
    private readonly runId: string,
  ) {}

  /** The run does not wait until it is written, and goes on without it. */
  keep({ model, visit, prompt, reply, error }: TracedEvent & { kind: "model" }): void {
    const exchange = JSON.stringify({
      model,
      prompt: exchanged(prompt),
      reply: exchanged(reply ? [reply] : []),
      ...(error === undefined ? {} : { error: withoutSecrets(messageOf(error)) }),
    } satisfies Exchange);
    if (exchange.length > LONGEST) return;
    const row = { run_id: this.runId, visit, at: Date.now(), exchange };
    const { data, telemetry } = this.server;
    this.#written = this.#written
      .then(() => data.together(data.db.insertInto("exchanges").values(row)))
      .catch((failure: unknown) => {
        const facts = { runId: this.runId, problem: messageOf(failure) };
        telemetry.log({ level: "warn", event: "exchange_not_kept", ...facts });
      });
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.#written;
  }
}

function exchanged(messages: readonly BaseMessage[]): ExchangedMessage[] {
  return JSON.parse(messagesText(messages)) as ExchangedMessage[];
}
