import { setTimeout as pause } from "node:timers/promises";
import type { BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { registerChatProvider } from "../../models/providers.js";
import {
  SimulatedModel,
  type SimulatedQuestion,
  type SimulatedReply,
} from "../simulated/simulatedModel.js";
import type { GoldTask } from "./goldTask.js";
import { oracleReply } from "./replies.js";
import { type CountTokens, o200kTokens } from "./countTokens.js";

const PROVIDER = "oracle";

/** What an oracle knows, and how long its replies take. */
interface Script {
  byRequest: ReadonlyMap<string, GoldTask>;
  delayMs: number;
}

const scripts = new Map<string, Script>();

/**
 * Registers an oracle for some tasks as a chat model, replacing one of the same name.
 *
 * @param options.delayMs milliseconds that each reply takes
 * @default 0
 * @returns its name as "provider:name"
 */
export function registerOracle(options: {
  name: string;
  tasks: readonly GoldTask[];
  delayMs?: number;
}): string {
  const { name, tasks, delayMs = 0 } = options;
  // Graphs trim requests.
  const byRequest = new Map(tasks.map((gold) => [gold.task.query.trim(), gold]));
  scripts.set(name, { byRequest, delayMs });
  registerChatProvider(PROVIDER, {
    structuredReplies: "stage",
    makeChat: async (wanted) => new OracleModel(wanted, await o200kTokens()),
  });
  return `${PROVIDER}:${name}`;
}

/**
 * A script that knows the gold plan of each request. It stands in for a faultless language model, so that graphs
 * can be compared by cost and by what their searches find. It calls only tools that it is shown. Its figures are
 * not those of any model.
 */
class OracleModel extends SimulatedModel {
  override readonly model: string;
  override readonly countTokens: (texts: readonly string[]) => number;

  /** @throws UnknownName for an oracle that was not registered */
  constructor(
    private readonly known: string,
    count: CountTokens,
  ) {
    super({});
    this.model = `${PROVIDER}:${known}`;
    this.countTokens = (texts) => texts.reduce((sum, text) => sum + count(text), 0);
    this.#script();
  }

  override reply({ stage, input }: SimulatedQuestion): SimulatedReply {
    const gold = this.#script().byRequest.get(input.request);
    if (gold) return oracleReply(gold, { stage, input });
    throw new InvalidSetting({
      setting: `model ${this.model}`,
      problem: "it was asked about a request whose gold plan it does not know",
      hint: "Run it on the tasks that it was made for",
    });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const { delayMs } = this.#script();
    const start = performance.now();
    const result = await super._generate(messages, options);
    // The time for counting tokens is part of the delay.
    const left = delayMs - (performance.now() - start);
    if (left > 0) await pause(left, undefined, { signal: options.signal });
    return result;
  }

  #script(): Script {
    const script = scripts.get(this.known);
    if (script) return script;
    throw new UnknownName({ kind: "oracle", wanted: this.known, available: [...scripts.keys()] });
  }
}
