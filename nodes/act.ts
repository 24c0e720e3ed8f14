import { randomUUID } from "node:crypto";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { z } from "zod";
import type { BoundTool } from "../models/ask.js";
import { actPrompt } from "../prompts/act.js";
import type { ActInput, Observation, OfferedTool, ToldBudget } from "../prompts/stages.js";
import { readContext } from "../state/context.js";
import { earlierTurns, splitConversation } from "../state/conversation.js";
import { leftOf } from "../state/ledger.js";
import { type GraphState, type Ledger, type StateUpdate, leafSubtasks } from "../state/state.js";
import { earlierAttempts, pathTo } from "../state/tree.js";
import { type ControlTool, FINISH, STOP } from "../tools/control.js";
import type { ToolRecord } from "../tools/tool.js";
import { askModel } from "./askModel.js";
import { backgroundOf } from "./background.js";
import { shortLedger } from "./shortfall.js";
import { type ToolsAtHand, toolsAtHand } from "./toolsAtHand.js";
import { problemAt, repairOrEnd } from "./repair.js";

/** Some models write the truth values of JSON as texts. */
const stopArguments = z.object({
  message: z.string().trim().min(1),
  solved: z.union([z.boolean(), z.stringbool()]).default(true),
});

/** What the model may call, how it ends the work, and what it is told of a budget. */
export interface ActOptions {
  /** `none`: the model answers by itself (BaseAgent). */
  tools: "none" | "found";
  /** `finish` in a search over steps, where the answer ends a branch and `agenda` the run. */
  ending?: "stop" | "finish";
  /** Whether prices and what is left of the budget are told ("+Prompt" of BTP). */
  prices?: boolean;
}

/**
 * Asks a model for the next calls or the answer, with the tools found bound. The answer comes
 * through `stop`, or as plain text, and ends the run without a further call (in the reference, one
 * more reply was asked for and thrown away).
 */
export function act({ tools, ending = "stop", prices = false }: ActOptions) {
  return async function act(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const context = readContext(config);
    const atHand = tools === "none" ? NO_TOOLS : await toolsAtHand({ state, context });
    const { earlier, since } = splitConversation(state);
    const input = actInput({ state, atHand, background: backgroundOf(context), ending, prices });
    const prompt = actPrompt(input, {
      instructions: context.instructions,
      earlier,
      since,
      problem: problemAt(state, "act"),
    });
    const end = ending === "finish" ? FINISH : STOP;
    const bound = tools === "none" ? {} : binding({ offered: atHand.offered, end });
    const asked = await askModel(state, { prompt, context, config, ...bound });
    if ("end" in asked) return asked.end;
    const { reply, usage } = asked;
    const outcome = readReply({ reply, state, bound: tools !== "none", ending, atHand });
    if (!outcome) {
      const problem = `Your last reply was empty. Call a tool, or call ${end.name} with the final answer.`;
      return repairOrEnd({ state, stage: "act", problem, usage });
    }
    return { ...outcome, repair: null, usage };
  };
}

type Offered = ReadonlyMap<string, ToolRecord>;

const NO_TOOLS: ToolsAtHand = {
  offered: new Map(),
  forbidden: new Map(),
  useless: new Map(),
  prices: {},
};

function actInput(options: {
  state: GraphState;
  atHand: ToolsAtHand;
  background?: string;
  ending: "stop" | "finish";
  prices: boolean;
}): ActInput {
  const { state, atHand, background, ending, prices } = options;
  const { offered, forbidden, useless } = atHand;
  const withheld = new Map([...forbidden, ...useless]);
  const known = new Map([...offered, ...withheld]);
  const calls = callsAtHand(state);
  const leaves = leafSubtasks(state.subtasks);
  // A graph that does not decompose has the request as its only subtask: that is no list of steps.
  const decomposed = leaves.some(({ text }) => text !== state.run.request);
  return {
    request: state.run.request,
    background,
    steps: decomposed ? leaves.map(({ text }) => text) : [],
    missed: decomposed
      ? leaves.filter(({ status }) => status === "unserved").map(({ text }) => text)
      : fruitlessPhrases(state),
    tools: [...offered].map(shown),
    observations: calls.map((call) => observation(call, known)),
    earlierTurns: earlierTurns(state),
    ...(prices && state.ledger ? { budget: toldBudget({ state, atHand }) } : {}),
    ...(withheld.size > 0
      ? {
          withheld: { forbidden: [...forbidden.keys()], useless: [...useless.keys()] },
          retired: [...withheld].filter(([, { id }]) => isAmong(calls, id)).map(shown),
        }
      : {}),
    ...(ending === "finish" ? { search: { attempts: earlierAttempts(state.tree) } } : {}),
  };
}

function shown([name, { description, parameters, returns }]: [string, ToolRecord]): OfferedTool {
  return { name, description, parameters, ...(returns ? { returns } : {}) };
}

function isAmong(calls: GraphState["calls"], id: string): boolean {
  return calls.some(({ tool }) => tool === id);
}

/** In a search over steps, a branch knows of its own calls only. */
function callsAtHand({ tree, calls }: GraphState): GraphState["calls"] {
  if (!tree) return calls;
  const ids = new Set(pathTo(tree, tree.cursor).flatMap((node) => node.calls.map(({ id }) => id)));
  return calls.filter(({ id }) => ids.has(id));
}

function toldBudget({ state, atHand }: { state: GraphState; atHand: ToolsAtHand }): ToldBudget {
  const { offered, prices } = atHand;
  return {
    left: leftOf(state),
    unit: state.ledger?.unit ?? "units",
    prices: Object.fromEntries([...offered].map(([name, { id }]) => [name, prices[id] ?? 0])),
  };
}

/** Phrases of the last round of searches that found nothing. */
function fruitlessPhrases({ searches }: GraphState): string[] {
  const last = Math.max(...searches.map(({ depth }) => depth));
  return searches
    .filter(({ hits, depth }) => hits.length === 0 && depth === last)
    .map(({ phrase }) => phrase);
}

function observation(call: GraphState["calls"][number], known: Offered): Observation {
  const { tool, args, result, error } = call;
  const wireName = [...known].find(([, { id }]) => id === tool)?.[0] ?? tool;
  return { tool: wireName, args, ...(error === undefined ? { result } : { error }) };
}

function binding(options: { offered: Offered; end: ControlTool }): {
  tools: BoundTool[];
  toolChoice: string;
} {
  const { offered, end } = options;
  const tools = [...offered].map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters,
  }));
  return { tools: [...tools, end], toolChoice: "any" };
}

/** What a reply means: calls to execute, the answer, or undefined for nothing usable. */
function readReply(options: {
  reply: AIMessage;
  state: GraphState;
  /** Whether tools were bound; a call is nothing usable where none was. */
  bound: boolean;
  ending: "stop" | "finish";
  atHand: ToolsAtHand;
}): StateUpdate | undefined {
  const { reply, state, bound, ending, atHand } = options;
  const message = withUsableCalls(reply, state);
  if (!bound || !message.tool_calls?.length) return readText(reply, ending);
  const answer =
    ending === "stop" ? readStop(message.tool_calls, shortLedger({ state, atHand })) : {};
  return { messages: [message], ...answer };
}

/** The answer of a reply without calls; one that maxOutputTokens has cut short is no solution. */
function readText(reply: AIMessage, ending: "stop" | "finish"): StateUpdate | undefined {
  const answer = reply.text.trim();
  if (!answer) return undefined;
  const { id, content, usage_metadata, response_metadata } = reply;
  const message = new AIMessage({ id, content, usage_metadata, response_metadata });
  const cut = response_metadata["finish_reason"] === "length";
  if (ending === "finish" && !cut) return { messages: [message] };
  return { messages: [message], status: cut ? "limit" : "solved", answer };
}

/** The answer, when the reply is nothing but a valid call of `stop`. */
function readStop(calls: ToolCall[], ledger: Ledger | undefined): StateUpdate {
  const [only, ...others] = calls;
  if (others.length > 0 || only?.name !== STOP.name) return {};
  const stop = stopArguments.safeParse(only.args);
  if (!stop.success) return {};
  const { solved, message: answer } = stop.data;
  if (solved) return { status: "solved", answer };
  return ledger ? { status: "budget", answer, ledger } : { status: "unsolved", answer };
}

/**
 * The reply with every call fit for a valid history: an id of its own (some endpoints give none, or
 * the same one again, and the journal knows calls by it), and calls whose arguments could not be
 * read among the others, without arguments, to be answered with what was wrong.
 */
function withUsableCalls(reply: AIMessage, { messages, tree }: GraphState): AIMessage {
  const said = messages.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
  );
  // Other branches of a search are not in the conversation, and their calls in the journal.
  const elsewhere = tree?.nodes.flatMap(({ calls }) => calls) ?? [];
  const taken = new Set<string | undefined>([...said, ...elsewhere].map(({ id }) => id));
  const usableId = (id: string | undefined) => {
    const usable = id && !taken.has(id) ? id : `call_${randomUUID()}`;
    taken.add(usable);
    return usable;
  };
  const valid = (reply.tool_calls ?? []).map((call) => ({ ...call, id: usableId(call.id) }));
  const invalid = (reply.invalid_tool_calls ?? []).map((call) => ({
    ...call,
    id: usableId(call.id),
  }));
  const emptied = invalid.map(({ id, name }) => ({
    id,
    name: name ?? "",
    args: {},
    type: "tool_call" as const,
  }));
  return new AIMessage({
    id: reply.id,
    content: reply.content,
    response_metadata: reply.response_metadata,
    usage_metadata: reply.usage_metadata,
    tool_calls: [...valid, ...emptied],
    invalid_tool_calls: invalid,
  });
}
