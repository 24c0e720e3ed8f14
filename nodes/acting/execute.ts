import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { tariff } from "../../budget/tariff.js";
import { fitCall } from "../../plans/fitStep.js";
import { isPlainObject } from "../../plans/references.js";
import { schemaTokens } from "../../workspace/prices.js";
import { runWorkspace } from "../../workspace/workspace.js";
import { type Context, readContext } from "../../state/context.js";
import { openCalls } from "../../state/controls.js";
import { type PricedCall, charge, inLedgerUnit, reserve } from "../../state/ledger.js";
import {
  type Call,
  type GraphState,
  type Ledger,
  type StateUpdate,
  addUsage,
} from "../../state/state.js";
import { CONTROL_NAMES, type ControlTool } from "../../tools/control.js";
import { estimateTokens } from "../../tools/library/embedding.js";
import type { FlowVerdict } from "../../tools/flow/verdict.js";
import type { CallOutcome } from "../../tools/runtime/outcome.js";
import type { ToolRecord } from "../../tools/tool.js";
import { type Decision, askApproval, needsApproval } from "./approval.js";
import { flowVerdicts, nestedFlowGuard, refusalText } from "../shared/flowVerdicts.js";
import { isApprovedCall } from "../programs/followProgram.js";
import { overBudgetText, refusal } from "./guards.js";
import { isOfProgram } from "../programs/leaveProgram.js";
import { nestedTools, priced } from "./nestedCalls.js";
import { type KnownRead, repeatedReads, repeatedWrites } from "./repeatedCalls.js";
import { type ToolsAtHand, toolsAtHand } from "../shared/toolsAtHand.js";
import { todayOf } from "../shared/todayOf.js";
import { toolAnswer } from "../shared/toolAnswer.js";
import { holdOf, threadOf } from "../shared/threadOf.js";

/** What became of one call: what the model is told, and the call for the record. */
interface Observed {
  text: string;
  failed: boolean;
  call?: Call;
}

/** A call that nothing speaks against, with the arguments that a person may have changed. */
interface RunnableCall {
  call: ToolCall;
  tool: ToolRecord;
  args: Record<string, unknown>;
}

/**
 * Runs the open calls of the last reply and answers each of them, in call order. What is wrong with a
 * call goes back to the model in words, and so does one that was made already; calls that need approval
 * pause the run; the runtime journals what is executed, so that a visit that is repeated repeats no call.
 *
 * @param options.except control tools whose calls other nodes of the graph answer
 */
export function execute({ except = [] }: { except?: readonly ControlTool[] } = {}) {
  const others = new Set(except.map(({ name }) => name));
  return async function execute(
    state: GraphState,
    config: LangGraphRunnableConfig,
  ): Promise<StateUpdate> {
    const { reply, calls } = openCalls(state);
    const own = calls.filter(({ name }) => !others.has(name));
    return own.length > 0 ? await executeCalls({ state, config, reply, calls: own }) : {};
  };
}

async function executeCalls(options: {
  state: GraphState;
  config: LangGraphRunnableConfig;
  reply: AIMessage;
  calls: readonly ToolCall[];
}): Promise<StateUpdate> {
  const { state, config, reply } = options;
  // Before the deadline is set, so that a run whose deadline has ended a call has no time left.
  const started = performance.now();
  const context = readContext(config, state);
  const atHand = await toolsAtHand({ state, context });
  const calls = options.calls.map((call) => fitted(call, atHand));
  const flows = await flowVerdicts({ state, context, calls, atHand });
  const permitted = permit({ state, context, reply, calls, atHand, flows });
  const { runnable, refused, told, overBudget } = permitted;
  const outcomes = await runCalls({ runnable, state, context, config, atHand });
  const observed = calls.map((call) => {
    const problem = refused.get(call);
    const known = told.get(call);
    const reason = known?.text === problem ? { failed: false, said: known?.shown } : {};
    return outcomes.get(call) ?? notRun(call, { problem, ...reason });
  });
  const made = observed.flatMap(({ call }) => call ?? []);
  return {
    messages: calls.map((call, index) => toolAnswer(call, observed[index] ?? notRun(call))),
    calls: [...state.calls, ...made],
    usage: addUsage(state.usage, { ms: performance.now() - started }),
    ...(state.ledger
      ? { ledger: chargeCalls({ ledger: state.ledger, made, overBudget, context }) }
      : {}),
  };
}

/**
 * A call whose arguments have the names and the types of its tool's where it is certain what is meant ("60" for a
 * number), before anybody looks at them; one that cannot be made to fit is told as it came.
 */
function fitted(call: ToolCall, { offered, forbidden }: ToolsAtHand): ToolCall {
  const tool = offered.get(call.name) ?? forbidden.get(call.name);
  if (!tool || !isPlainObject(call.args)) return call;
  const { step, repairs } = fitCall(tool, call.args);
  return repairs.length > 0 ? { ...call, args: step.args } : call;
}

/** Sorts out which calls may run; what is said against the others is for the model. */
function permit(options: {
  state: GraphState;
  context: Context;
  reply: AIMessage;
  calls: readonly ToolCall[];
  atHand: ToolsAtHand;
  flows: ReadonlyMap<ToolCall, FlowVerdict>;
}): {
  runnable: RunnableCall[];
  refused: Map<ToolCall, string>;
  /** What is said of look-ups that were made already, which is nothing against them. */
  told: ReadonlyMap<ToolCall, KnownRead>;
  overBudget: PricedCall[];
} {
  const { state, context, reply, calls, atHand, flows } = options;
  const refused = new Map<ToolCall, string>();
  const unplanned = calls.filter(
    (call) => !isApprovedStep(state, call) && !isOfProgram(state, call.id ?? ""),
  );
  const repeated = repeatedWrites({ state, calls: unplanned, atHand });
  const ending = state.tree ? "finish" : "stop";
  const told = repeatedReads({ state, calls, atHand, end: ending });
  const known = calls.flatMap((call) => {
    const problem =
      refusal({ call, reply, atHand, ending }) ??
      repeated.get(call) ??
      told.get(call)?.text ??
      refusalText(call, flows.get(call));
    if (problem !== undefined) refused.set(call, problem);
    const tool = atHand.offered.get(call.name) ?? atHand.forbidden.get(call.name);
    if (problem !== undefined || !tool) return [];
    return [{ call, tool: tool.id, record: tool, price: atHand.prices[tool.id] ?? 0 }];
  });
  const reserved = reserve(state, known);
  const { allowed } = reserved;
  for (const { call, tool, price } of reserved.refused) {
    refused.set(call, overBudgetText({ name: call.name, tool, price, state, allowed }));
  }
  const held = reserved.allowed.filter(
    ({ call, tool, record }) =>
      !isApprovedStep(state, call) &&
      !isApprovedWrite(state, { call, tool }) &&
      (needsApproval(record, context) || flows.has(call)),
  );
  const decisions = askApproval(
    held.map(({ call, record }) => ({ call, tool: record, reason: flows.get(call)?.reason })),
  );
  const runnable = reserved.allowed.flatMap(({ call, record }): RunnableCall[] => {
    const decision = decisions.get(call);
    if (decision?.type === "reject") refused.set(call, rejection(decision));
    return decision?.type === "reject"
      ? []
      : [{ call, tool: record, args: decidedArgs(call, decision) }];
  });
  return { runnable, refused, told, overBudget: reserved.refused };
}

/** A person has agreed to the plan that the call is a step of. */
function isApprovedStep({ plan }: GraphState, { id }: ToolCall): boolean {
  return plan !== null && plan.approved && plan.callIds.includes(id ?? "");
}

/** A person has agreed to the write of a program with these arguments. */
function isApprovedWrite(
  { program }: GraphState,
  { call, tool }: { call: ToolCall; tool: string },
): boolean {
  return program !== null && isApprovedCall(program, { id: call.id ?? "", tool, args: call.args });
}

/** Only what was executed is charged, at most at the price that was reserved for it. */
function chargeCalls(options: {
  ledger: Ledger;
  made: readonly Call[];
  overBudget: readonly PricedCall[];
  context: Context;
}): Ledger {
  const { ledger, made, overBudget, context } = options;
  const { usdPerUnit } = context;
  const executed = made
    .filter(({ refused }) => !refused)
    .map(({ tool, cost }) => ({ tool, price: inLedgerUnit(cost, { ledger, usdPerUnit }) }));
  return charge(ledger, { executed, refused: overBudget });
}

function rejection({ message }: Decision & { type: "reject" }): string {
  return `a person has rejected this call${message ? `: ${message}` : ""}. Do not repeat it.`;
}

function decidedArgs(call: ToolCall, decision?: Decision): Record<string, unknown> {
  return decision?.type === "edit" ? decision.args : call.args;
}

async function runCalls(options: {
  runnable: RunnableCall[];
  state: GraphState;
  context: Context;
  config: LangGraphRunnableConfig;
  atHand: ToolsAtHand;
}): Promise<Map<ToolCall, Observed>> {
  const { runnable, state, context, config, atHand } = options;
  const { runtime, library } = runWorkspace();
  const tools = await library(context);
  const secondsLeft = context.maxSeconds - state.usage.ms / 1000;
  const flowProblem = await nestedFlowGuard({ state, context, calls: runnable });
  const nested = nestedTools({ tools, runnable, state, context, atHand, flowProblem });
  const outcomes = await runtime.runCalls({
    threadId: threadOf({ state, config }),
    hold: holdOf(config),
    library: nested,
    plans: { today: state.program?.today ?? todayOf(context), mostCalls: context.maxPlanCalls },
    calls: runnable.map(({ call, tool, args }) => ({
      id: call.id ?? "",
      tool: priced(tool, context),
      args,
    })),
    timeoutMs: context.toolTimeoutMs,
    deadline: Date.now() + Math.max(1, secondsLeft) * 1000,
    signal: config.signal,
  });
  return new Map(
    runnable.flatMap(({ call, tool, args }, index) => {
      const outcome = outcomes[index];
      return outcome ? [[call, observe({ outcome, args, tool, context })] as const] : [];
    }),
  );
}

function observe(options: {
  outcome: CallOutcome;
  args: Record<string, unknown>;
  tool: ToolRecord;
  context: Context;
}): Observed {
  const { outcome, args } = options;
  const { id, tool, status, result, resultRef, resultText, error, ms } = outcome;
  const record = { id, tool, args, ms, cost: chargedCost(options) };
  // A call whose arguments do not fit was never made, and says nothing of its tool.
  const refused = status === "invalid" ? { refused: true } : {};
  if (status !== "done") {
    return { text: resultText, failed: true, call: { ...record, error, ...refused } };
  }
  return { text: resultText, failed: false, call: { ...record, result, resultRef } };
}

/**
 * What a call is charged, in units. Where prices were measured, a call that took less than usual is
 * charged what it took, and one that took more no more than its price.
 */
function chargedCost(options: {
  outcome: CallOutcome;
  tool: ToolRecord;
  context: Context;
}): number {
  const { outcome, tool, context } = options;
  if (context.budget === undefined || context.pricing === "declared") return outcome.cost;
  const [actual] = Object.values(
    tariff({
      pricing: "measured",
      tools: [{ ...tool, schemaTokens: schemaTokens(tool) }],
      measures: [
        {
          tool: tool.id,
          meanMs: outcome.ms,
          meanResultTokens: estimateTokens([outcome.resultText]),
        },
      ],
    }),
  );
  return Math.min(outcome.cost, actual ?? outcome.cost);
}

/**
 * A refused call of a tool is part of the record; control tools are none of the library.
 *
 * @param options.said what the model is told in place of the problem
 */
function notRun(
  call: ToolCall,
  options: { problem?: string; failed?: boolean; said?: string } = {},
): Observed {
  const { problem = "", failed = true, said = problem } = options;
  const { id = "", name: tool, args } = call;
  const record = { id, tool, args, error: problem, ms: 0, cost: 0, refused: true };
  return { text: said, failed, ...(CONTROL_NAMES.includes(tool) ? {} : { call: record }) };
}
