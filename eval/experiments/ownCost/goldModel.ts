import { setTimeout as pause } from "node:timers/promises";
import {
  type BaseMessage,
  HumanMessage,
  isAIMessage,
  isToolMessage,
} from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import type { GoldTask } from "../../oracle/goldTask.js";
import { offerOf } from "../../oracle/offer.js";
import { oracleReply } from "../../oracle/replies.js";
import { registerChatProvider } from "../../../models/providers.js";
import {
  SimulatedModel,
  type SimulatedQuestion,
  type SimulatedReply,
} from "../../simulated/simulatedModel.js";
import { programText } from "../../../plans/codeText.js";
import type { Observation, OfferedTool } from "../../../nodes/shared/stageInputs.js";
import { STOP } from "../../../tools/control.js";

/** CPU milliseconds of the script itself: the model for which it stands in would take none here. */
export const spent = { ms: 0 };

interface Script {
  byRequest: ReadonlyMap<string, GoldTask>;
  delayMs: number;
}

/** A script that follows gold plans, like the oracle. */
class GoldModel extends SimulatedModel {
  override readonly model: string = MODEL;

  constructor(protected readonly script: Script) {
    super({});
  }

  override reply({ stage, input }: SimulatedQuestion): SimulatedReply {
    const gold = this.goldOf(input.request);
    if (stage === "writeProgram" && "tools" in input) {
      return { text: programText(gold.plan, { nameOf: namesFor(gold, input.tools) }) };
    }
    return oracleReply(gold, { stage, input });
  }

  override async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): Promise<ChatResult> {
    const { delayMs } = this.script;
    if (delayMs > 0) await pause(delayMs, undefined, { signal: options.signal });
    const before = process.cpuUsage();
    // It never waits, so all work is done when it returns its promise.
    const made = super._generate(messages, this.question(messages, options));
    const { user, system } = process.cpuUsage(before);
    spent.ms += (user + system) / 1_000;
    return made;
  }

  protected question(
    _messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): this["ParsedCallOptions"] {
    return options;
  }

  protected goldOf(request: string): GoldTask {
    const gold = this.script.byRequest.get(request.trim());
    if (!gold) throw new Error(`the script knows no plan for: ${request}`);
    return gold;
  }
}

/** The same for an agent without stages, whose input is in its messages. */
export class PlainGoldModel extends GoldModel {
  constructor(
    script: Script,
    private readonly shown: OfferedTool[],
  ) {
    super(script);
  }

  override reply(question: SimulatedQuestion): SimulatedReply {
    const reply = super.reply(question);
    if (reply.call?.name !== STOP.name) return reply;
    return { text: String(reply.call.args["message"]) };
  }

  protected override question(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
  ): this["ParsedCallOptions"] {
    const request = messages.find((one) => one instanceof HumanMessage)?.text ?? "";
    const tools = this.shown;
    const observations = observationsIn(messages);
    const input = { request, earlierTurns: [], steps: [], missed: [], tools, observations };
    return { ...options, stage: "act", input };
  }
}

const PROVIDER = "gold";
export const MODEL = `${PROVIDER}:script`;

/** Registers the script as a chat model. */
export function registerGold(script: Script): void {
  registerChatProvider(PROVIDER, {
    structuredReplies: "stage",
    makeChat: async () => new GoldModel(script),
  });
}

export function scriptOf(gold: readonly GoldTask[], delayMs: number): Script {
  return { byRequest: new Map(gold.map((one) => [one.task.query.trim(), one])), delayMs };
}

function namesFor(gold: GoldTask, tools: readonly OfferedTool[]): (id: string) => string {
  const { nameOf } = offerOf(gold, tools);
  // Tools that are not shown keep their name in the library.
  return (id) => nameOf.get(id) ?? id;
}

function observationsIn(messages: readonly BaseMessage[]): Observation[] {
  const results = new Map(
    messages.filter(isToolMessage).map((one) => [one.tool_call_id, one.text]),
  );
  return messages
    .filter(isAIMessage)
    .flatMap(({ tool_calls = [] }) => tool_calls)
    .flatMap(({ id = "", name, args }): Observation[] => {
      const text = results.get(id);
      return text === undefined ? [] : [{ tool: name, args, result: JSON.parse(text) }];
    });
}
