import { randomUUID } from "node:crypto";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { openGraph } from "../../../graphs/openGraph.js";
import { registerChatProvider } from "../../../models/providers.js";
import type { Stage } from "../../../nodes/kit/stageInputs.js";
import type { GraphState } from "../../../state/state.js";
import { KINDS } from "./faults.js";
import { type Asked, SCENARIOS, type Scenario } from "./scenarios.js";

/** A run with a fault; `at` chooses the faulty reply. */
export interface RunRequest {
  scenario: string;
  graph: string;
  kind: string;
  times: "once" | "always";
  at: number;
}

/** The result of a run. */
export interface Outcome {
  thrown?: boolean;
  status?: string;
  right?: boolean;
  wrongWrites?: number;
  /** The answer or the error, cut short. */
  said: string;
}

const SHOWN = 160;

interface CallOptions extends BaseChatModelCallOptions, Partial<Asked> {}

/** Gives the right replies, except for the faulty ones. */
class FaultyModel extends BaseChatModel<CallOptions> {
  constructor(readonly replyTo: (asked: Asked) => Promise<AIMessage>) {
    super({});
  }

  _llmType(): string {
    return "faulty";
  }

  override bindTools() {
    return this.withConfig({});
  }

  async _generate(
    _messages: BaseMessage[],
    { stage, input, byRules }: CallOptions,
  ): Promise<ChatResult> {
    if (!stage || !input) throw new Error("a faulty model knows stages only");
    const message = await this.replyTo({ stage, input, byRules });
    return { generations: [{ text: message.text, message }] };
  }
}

const models = new Map<string, FaultyModel>();

registerChatProvider("faulty", {
  structuredReplies: "stage",
  makeChat: async (name) => {
    const model = models.get(name);
    if (!model) throw new Error(`no model ${name}`);
    return model;
  },
});

/** Number of replies in a run without a fault, by scenario and graph. */
const lengths = new Map<string, number>();

async function run(request: RunRequest): Promise<Outcome> {
  const key = `${request.scenario} ${request.graph}`;
  if (!lengths.has(key)) {
    await scenarioOf(request).prepare();
    let replies = 0;
    await runWith(request, (asked) => {
      replies++;
      return scenarioOf(request).honest(asked);
    });
    lengths.set(key, replies);
  }
  return await runWith(request, faultyReplies(request, lengths.get(key) ?? 1));
}

function scenarioOf({ scenario: name }: RunRequest): Scenario {
  const scenario = SCENARIOS[name];
  if (!scenario) throw new Error(`no scenario ${name}`);
  return scenario;
}

async function runWith(
  request: RunRequest,
  replyTo: (asked: Asked) => Promise<AIMessage>,
): Promise<Outcome> {
  const scenario = scenarioOf(request);
  const name = randomUUID();
  models.set(name, new FaultyModel(replyTo));
  const settings = { model: `faulty:${name}`, ...scenario.settings, maxSeconds: 25 };
  try {
    const state = (await (
      await openGraph(request.graph)
    ).invoke({ request: scenario.request }, {
      context: { ...settings, maxModelCalls: 20 },
      configurable: { thread_id: name },
    } as object)) as GraphState;
    return {
      status: state.status,
      right: scenario.isRight(answerOf(request, state)),
      wrongWrites: scenario.wrongWrites(state.calls),
      said: state.answer.slice(0, SHOWN),
    };
  } catch (error) {
    return { thrown: true, said: String(error).slice(0, SHOWN) };
  }
}

/** For a graph that only plans, a plan with the numbers of the request counts as right. */
function answerOf({ graph }: RunRequest, { answer }: GraphState): string {
  const isPlan =
    graph.startsWith("iit") && ["45342", "23487", "32478"].every((n) => answer.includes(n));
  return isPlan ? "1064980032" : answer;
}

/** The kinds take turns at the replies of a run. */
function faultyReplies(request: RunRequest, replies: number) {
  const { kind, times, at } = request;
  const place = at % replies;
  let asked = -1;
  let faultyStage: Stage | undefined;
  return async (question: Asked): Promise<AIMessage> => {
    asked++;
    const honest = await scenarioOf(request).honest(question);
    if (asked === place) faultyStage = question.stage;
    const isFaulty = asked === place || (times === "always" && faultyStage === question.stage);
    return isFaulty ? (KINDS[kind]?.(honest) ?? honest) : honest;
  };
}

process.on("message", (request: RunRequest) => {
  void run(request).then((outcome) => process.send?.(outcome));
});
