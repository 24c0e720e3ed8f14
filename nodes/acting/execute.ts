import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { oneLine } from "../../common/errors.js";
import { runWorkspace } from "../../home/workspace.js";
import { fitCall } from "../../plans/steps/fitStep.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { openCalls } from "../../state/calls.js";
import { charge, inLedgerUnit, type PricedCall } from "../../state/ledger.js";
import { MOST_PLAN_CALLS, readSettings, type Settings } from "../../state/settings.js";
import {
  addUsage,
  type Call,
  type GraphState,
  type Ledger,
  type StateUpdate,
} from "../../state/state.js";
import type { CallOutcome } from "../../tools/calls/engine/callOutcome.js";
import { CONTROL_NAMES, type ControlTool } from "../../tools/control.js";
import { behalfOf, holdOf, threadOf, todayOf } from "../kit/runBasics.js";
import { type Line, needed, stage, type StageChange } from "../kit/stage.js";
import { callParts, jsonText, toolAnswer } from "../policy/callTexts.js";
import { flowVerdicts, nestedFlowGuard } from "../policy/flowVerdicts.js";
import { offeredTools } from "../policy/offeredTools.js";
import type { ToolOffer } from "../policy/toolOffer.js";
import { withOwnApprovals } from "../programs/followProgram.js";
import { type GivenAnswers, makeAnswered } from "./askInput.js";
import { followCalls } from "./followCalls.js";
import { nestedTools, permit, pricedTool, type RunnableCall } from "./guards.js";

interface Observed {
  text: string;
  failed: boolean;
  call?: Call;
}

/**
 * Runs the open calls of the last reply and answers each, in order. Faulty and repeated calls go back to the
 * model with an explanation; calls that need approval pause the run. The runtime journals what it executes, so
 * a repeated visit repeats no call.
 *
 * @param options.except control tools whose calls other nodes answer
 */
export function execute({ except = [] }: { except?: readonly ControlTool[] } = {}) {
  const others = new Set(except.map(({ name }) => name));
  return stage({ lines: callLines }, async (given, config) => {
    const state = await withOwnApprovals(given, config);
    const { reply, calls } = openCalls(state);
    const own = calls.filter(({ name }) => !others.has(name));
    const made = own.length > 0 ? await makeCalls({ state, config, reply, calls: own }) : {};
    return needed(made, { stage: "execute", what: "a person to ask" });
  });
}

/**
 * Makes calls of a reply, as {@link execute} does.
 *
 * @param options.unasked makes them only if nobody has to be asked anything
 * @returns undefined if a person has to be asked; what was made by then is in the journal
 */
export async function makeCalls(options: {
  state: GraphState;
  config: LangGraphRunnableConfig;
  reply: AIMessage;
  calls: readonly ToolCall[];
  unasked?: boolean;
}): Promise<StateUpdate | undefined> {
  const { state, config, reply, unasked = false } = options;
  // Taken before the deadline is set, so that a run whose deadline ended a call has no time left.
  const started = performance.now();
  const settings = readSettings(config, state);
  const offer = await offeredTools(state, settings);
  const calls = options.calls.map((call) => fitted(call, offer));
  const flows = await flowVerdicts({ state, settings, calls, offer });
  const permitted = permit({ state, settings, reply, calls, offer, flows, unasked });
  if (!permitted) return undefined;
  const { runnable, refused, overBudget } = permitted;
  const outcomes = await runCalls({ runnable, state, settings, config, offer, unasked });
  if (!outcomes) return undefined;
  const observed = calls.map((call) => outcomes.get(call) ?? notRun(call, refused.get(call)));
  const made = observed.flatMap(({ call }) => call ?? []);
  return {
    messages: calls.map((call, index) => toolAnswer(call, observed[index] ?? notRun(call))),
    calls: [...state.calls, ...made],
    usage: addUsage(state.usage, { ms: performance.now() - started }),
    ...(state.ledger ? { ledger: chargeCalls(state.ledger, made, overBudget) } : {}),
  };
}

/**
 * Corrects names and types of a call's arguments if the meaning is certain ("60" for a number), before anyone
 * looks at them. A call that cannot be made to fit stays as it came.
 */
function fitted(call: ToolCall, { offered, forbidden }: ToolOffer): ToolCall {
  const tool = offered.get(call.name) ?? forbidden.get(call.name);
  if (!tool || !isPlainObject(call.args)) return call;
  const { step, repairs } = fitCall(tool, call.args);
  return repairs.length > 0 ? { ...call, args: step.args } : call;
}

/** Charges only what was executed, at no more than the reserved price. */
function chargeCalls(
  ledger: Ledger,
  made: readonly Call[],
  overBudget: readonly PricedCall[],
): Ledger {
  const executed = made
    .filter(({ refused }) => !refused)
    .map(({ tool, cost }) => ({ tool, price: inLedgerUnit(cost, ledger) }));
  return charge(ledger, { executed, refused: overBudget });
}

async function runCalls(options: {
  runnable: RunnableCall[];
  state: GraphState;
  settings: Settings;
  config: LangGraphRunnableConfig;
  offer: ToolOffer;
  unasked: boolean;
}): Promise<Map<ToolCall, Observed> | undefined> {
  const { runnable, state, settings, config, offer, unasked } = options;
  const { runtime, library } = runWorkspace();
  const tools = await library(settings);
  const secondsLeft = settings.maxSeconds - state.usage.ms / 1000;
  const flowProblem = await nestedFlowGuard({ state, settings, calls: runnable });
  const priced = pricedTool(settings);
  const nested = nestedTools({ tools, runnable, state, settings, offer, priced, flowProblem });
  const request = {
    threadId: threadOf(state, config),
    hold: holdOf(config),
    behalf: behalfOf(config),
    library: nested,
    plans: {
      today: state.program?.today ?? todayOf(settings),
      mostCalls: MOST_PLAN_CALLS,
      asks: "needed" as const,
    },
    runId: state.run.id,
    calls: runnable.map(({ call, tool, args }) => ({
      id: call.id ?? "",
      tool: priced(tool),
      args,
      undoes: undoneBy(state, call.id),
    })),
    timeoutMs: settings.toolTimeoutMs,
    deadline: Date.now() + Math.max(1, secondsLeft) * 1000,
    signal: config.signal,
  };
  const run = async (given: GivenAnswers) =>
    await followCalls({
      config,
      calls: request.calls,
      run: () => runtime.runCalls({ ...request, ...given }),
    });
  const outcomes = await makeAnswered({ config, run, unasked });
  if (!outcomes) return undefined;
  return new Map(
    runnable.flatMap(({ call, args }, index) => {
      const outcome = outcomes[index];
      return outcome ? [[call, observe(outcome, args)] as const] : [];
    }),
  );
}

function undoneBy({ program }: GraphState, id: string | undefined) {
  const steps = Object.entries(program?.undo?.steps ?? {});
  return steps.find(([place]) => program?.callIds[place] === id)?.[1];
}

function observe(outcome: CallOutcome, args: Record<string, unknown>): Observed {
  const { id, tool, status, result, resultRef, resultText, error, ms, cost } = outcome;
  const record = { id, tool, args, ms, cost };
  // A call whose arguments do not fit was never made, and says nothing of its tool.
  const refused = status === "invalid" ? { refused: true } : {};
  if (status !== "done")
    return { text: resultText, failed: true, call: { ...record, error, ...refused } };
  return { text: resultText, failed: false, call: { ...record, result, resultRef } };
}

/** A refused tool call is recorded; control tools are not, as they are not in the library. */
function notRun({ id = "", name: tool, args }: ToolCall, problem = ""): Observed {
  const record = { id, tool, args, error: problem, ms: 0, cost: 0, refused: true };
  return { text: problem, failed: true, ...(CONTROL_NAMES.includes(tool) ? {} : { call: record }) };
}

export function callLines({ change, before }: StageChange): Line[] {
  return (change.calls ?? []).slice(before.calls?.length).map((call) => {
    const { result, resultRef, error, ms } = call;
    const value = resultRef === undefined ? jsonText(result) : "a long result";
    const outcome = error === undefined ? ` = ${value} ` : ` failed: ${oneLine(error)} `;
    return [...callParts(call), outcome, { aside: `${Math.round(ms)} ms` }];
  });
}
