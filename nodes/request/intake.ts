import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { LONGEST_OUTCOMES, LONGEST_REQUEST } from "../../common/bounds.js";
import { clipped, counted } from "../../common/text.js";
import { InvalidSetting } from "../../common/errors.js";
import { readBudget } from "../../state/budgetSetting.js";
import { type Settings, readSettings } from "../../state/settings.js";
import { mendedHistory } from "../../state/history.js";
import { openLedger } from "../../state/ledger.js";
import { FRESH_RUN, type GraphState, type StateUpdate } from "../../state/state.js";
import { hasSucceeded, toolsCalled } from "../../state/calls.js";
import type { StandingCall } from "../../tools/calls/journal/standingCalls.js";
import { threadOf } from "../kit/runBasics.js";
import { stage } from "../kit/stage.js";
import { runWorkspace } from "../../home/workspace.js";

/**
 * Takes the request and resets the run's channels. First stage of every graph. The request is the one given,
 * else the last human message; each request of a thread starts with fresh limits. `messages` stay, and are made
 * a valid history again if the last run was interrupted. The tools the last run called stay on offer, because
 * no search finds them for "it" or "that can't be right".
 *
 * @param options.budget how the graph treats a budget: `enforced`, or, in published baselines, `told` to the
 * model but not enforced, or `ignored`
 * @throws InvalidSetting if there is no request or human message, or it is too long
 */
export function intake({ budget }: { budget: BudgetUse } = { budget: "enforced" }) {
  return stage({}, async (state, config) => {
    const settings = readSettings(config);
    // Report unreadable rules before anything is done, not when they first apply.
    if (settings.flowRules) (await import("../policy/flowRulesOf.js")).flowRulesOf(settings);
    const earlierTools = toolsBefore(state, settings);
    const fresh = {
      ...takeRequest(state, settings, idFor(state, config), await standingText(state, config)),
      earlierTools,
      earlierCalls: [...new Set([...state.earlierCalls, ...toolsCalled(state.calls)])],
      toolIds: earlierTools,
      ledger: ledgerFor(budget, settings),
    } satisfies Required<StateUpdate>;
    // Each channel that is written is saved twice, as a write and in the checkpoint after it.
    const before: Readonly<Record<string, unknown>> = state;
    const changes = Object.entries(fresh).filter(
      ([channel, value]) => !isDeepStrictEqual(value, before[channel]),
    );
    return Object.fromEntries(changes);
  });
}

/** How a graph treats a budget. */
export type BudgetUse = "enforced" | "told" | "ignored";

function ledgerFor(use: BudgetUse, settings: Settings) {
  const budget = readBudget(settings);
  if (!budget || use === "ignored") return null;
  return openLedger(budget, { enforced: use === "enforced" });
}

/**
 * The tools the last run called successfully, latest first, as far as this run may use them. A run without
 * calls is taken to be about the same as the one before.
 */
function toolsBefore({ calls, earlierTools }: GraphState, { topK, toolIds }: Settings): string[] {
  const called = calls.filter(hasSucceeded);
  const last = called.map(({ tool }) => tool).toReversed();
  return [...new Set(last.length > 0 ? last : earlierTools)]
    .filter((id) => toolIds?.includes(id) ?? true)
    .slice(0, topK);
}

function takeRequest(
  state: GraphState,
  { threadId: _thread, ...settings }: Settings,
  id: string,
  standing: readonly BaseMessage[],
) {
  const { undo } = state;
  const given = state.request.trim() || (undo ? "Undo." : "");
  const last = state.messages.findLast((message) => message.type === "human");
  const request = given || (last?.text.trim() ?? "");
  if (request.length > LONGEST_REQUEST) {
    throw new InvalidSetting({
      setting: "request",
      problem: `has ${counted(request.length)} characters, and at most ${counted(LONGEST_REQUEST)} are taken`,
      hint: "give a shorter one, and long texts as files that a tool reads",
    });
  }
  if (!request) {
    throw new InvalidSetting({
      setting: "request",
      problem: "is empty",
      hint: "give a request in words, or messages of which one is a human's",
    });
  }
  return {
    ...FRESH_RUN,
    messages: given
      ? [
          ...mendedHistory(state.messages),
          ...standing,
          new HumanMessage({ id: randomUUID(), content: given }),
        ]
      : mendedHistory(state.messages, standing),
    request: "",
    undo: null,
    run: { id, request, settings: withoutAbsent(settings), ...(undo && { undo }) },
  };
}

/**
 * The id of the run: the server's, by which its clients name it. Within another graph, or for a second request in the same
 * run of a server, it is a new one, as ids of calls follow from it.
 */
function idFor({ run }: GraphState, { configurable = {} }: LangGraphRunnableConfig): string {
  const { run_id, checkpoint_ns } = configurable as { run_id?: unknown; checkpoint_ns?: unknown };
  const isWhole = typeof checkpoint_ns === "string" && !checkpoint_ns.includes("|");
  return typeof run_id === "string" && isWhole && run_id !== run.id ? run_id : randomUUID();
}

/** Databases keep no undefined values. */
function withoutAbsent(settings: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** What the model is told of the writes of rolled-back runs; nothing once the conversation has it. */
async function standingText(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<BaseMessage[]> {
  const { journal } = runWorkspace().runtime;
  const calls = await journal.standingCalls(threadOf(state, config));
  const told = new Set(state.messages.map(({ id }) => id));
  const untold = calls.filter((call) => !told.has(idOf(call)));
  return untold.map((call) => new AIMessage({ id: idOf(call), content: textOf(call) }));
}

function idOf({ ref }: StandingCall): string {
  return `standing_${ref}`;
}

function textOf({ tool, args, status, result }: StandingCall): string {
  const call = clipped(`${tool} ${JSON.stringify(args)}`, LONGEST_OUTCOMES);
  if (status !== "done")
    return `A run of this conversation was rolled back. It had called ${call}, and it is not known whether that was done.`;
  const gave = result === null ? "" : `, which gave ${clipped(result, LONGEST_OUTCOMES)}`;
  return `A run of this conversation was rolled back, but what it had done stands: ${call}${gave}.`;
}
