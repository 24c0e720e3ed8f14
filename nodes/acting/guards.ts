import { isDeepStrictEqual } from "node:util";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { UnknownName } from "../../common/errors.js";
import { TOO_DEEP } from "../../models/chat/reply.js";
import { type PricedCall, leftOf, inLedgerUnit, reserve } from "../../state/ledger.js";
import { cutObservation, hasSucceeded } from "../../state/calls.js";
import type { Call, GraphState } from "../../state/state.js";
import { FINISH, STOP } from "../../tools/control.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import type { ToolRecord } from "../../tools/tool.js";
import { isOfProgram } from "../programs/programCalls.js";
import { type ToolOffer, allTools, writesIn } from "../policy/toolOffer.js";
import type { Settings } from "../../state/settings.js";
import type { FlowVerdict } from "../../tools/calls/flow/flowVerdict.js";
import type { LibraryView } from "../../tools/library/library.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { ToolLookup } from "../../tools/calls/engine/callScope.js";
import { isSavedPlan } from "../../tools/calls/engine/savedPlan.js";
import { isApprovedCall } from "../programs/followProgram.js";
import { REJECTED, wasAskedAbout } from "../policy/askDecisions.js";
import { refusalText } from "../policy/flowVerdicts.js";
import { pricesOf } from "../../state/budget/prices.js";
import { askApproval, needsApproval } from "./approval.js";

const SHOWN_LENGTH = 200;

const ENDINGS = {
  stop: {
    ...STOP,
    needs: "a message with the final answer (text, not empty) and solved (true or false)",
  },
  finish: {
    ...FINISH,
    needs:
      "return_type (give_answer or give_up_and_restart) and, for give_answer, final_answer (text, not empty)",
  },
};

/**
 * Why a call is not executed, in words for the model, if there is a reason. The budget is checked later, for
 * all calls of a message together.
 */
export function refusal(options: {
  call: ToolCall;
  reply: AIMessage;
  offer: ToolOffer;
  ending: keyof typeof ENDINGS;
}): string | undefined {
  const { call, reply, offer, ending } = options;
  const unreadable = reply.invalid_tool_calls?.find(({ id }) => id === call.id);
  if (unreadable) {
    return unreadable.error === TOO_DEEP
      ? `the arguments of ${call.name} are ${TOO_DEEP}. Send the call again with less nesting.`
      : `the arguments of ${call.name} are not a JSON object: ${unreadable.args?.slice(0, SHOWN_LENGTH)}. Send the call again with valid JSON.`;
  }
  const { name: end, needs } = ENDINGS[ending];
  if (call.name === end) {
    return (reply.tool_calls ?? []).length > 1
      ? `${end} came with other calls, before their results were known. Read the results, then call ${end} alone.`
      : `${end} needs ${needs}.`;
  }
  if (offer.useless.has(call.name))
    return `${call.name} has not been helpful in this run and was not called again. ${goOnWith(end)}`;
  if (offer.offered.has(call.name) || offer.forbidden.has(call.name)) return undefined;
  const unaccepted = offer.unaccepted.get(call.name);
  if (unaccepted !== undefined) return `${unaccepted}. Use only the tools on offer.`;
  const available = [...offer.offered.keys(), end];
  return `${new UnknownName({ kind: "tool", wanted: call.name, available }).message}. Use only the tools on offer.`;
}

/**
 * Why the budget does not allow a call, in words for the model: the amount, or the tool's allowance.
 *
 * @param options.allowed the calls of the same reply that are made
 */
function overBudgetText(options: {
  name: string;
  tool: string;
  price: number;
  state: Pick<GraphState, "ledger" | "usage" | "tree">;
  allowed: readonly PricedCall[];
}): string {
  const { name, state } = options;
  return `${name} was not called: ${whyNotPaid(options)}. ${goOnWith(state.tree ? FINISH.name : STOP.name)}`;
}

function whyNotPaid({ tool, price, state, allowed }: Parameters<typeof overBudgetText>[0]): string {
  const left = leftOf(state);
  if (price > left) return `budget exceeded: it costs ${price}, and ${left} is left`;
  const granted = state.ledger?.quotas?.[tool] ?? 0;
  const taken = allowed.filter((call) => call.tool === tool).length;
  if (state.ledger?.quotas && taken >= granted)
    return `the calls granted to it are used up (what is left of the budget, ${left}, is for other tools)`;
  return `budget exceeded: it costs ${price}, and the other calls leave too little of ${left}`;
}

/** Names no tools: the offer may change once this reply's calls are paid. */
function goOnWith(end: string): string {
  return `Continue with the tools still on offer, or call ${end}.`;
}

/**
 * Calls that would repeat a write of this run with no other write in between, or of the same message, each with
 * what the model is told instead. Models repeat their work when something after it fails. A call sent again
 * after that is taken as intended.
 */
function repeatedWrites(
  state: GraphState,
  calls: readonly ToolCall[],
  offer: ToolOffer,
): Map<ToolCall, string> {
  const tools = allTools(offer);
  const repeated = new Map<ToolCall, string>();
  const writes = calls.flatMap((call) => {
    const tool = tools.get(call.name);
    return tool?.effects === "write" ? [{ call, tool }] : [];
  });
  for (const [at, { call, tool }] of writes.entries()) {
    const isTwice = writes
      .slice(0, at)
      .some((other) => other.tool === tool && isSameCall(tool, other.call, call));
    const told = isTwice ? twiceText(call) : doneText({ call, tool, state, offer });
    if (told !== undefined) repeated.set(call, told);
  }
  return repeated;
}

function doneText(options: {
  call: ToolCall;
  tool: ToolRecord;
  state: GraphState;
  offer: ToolOffer;
}): string | undefined {
  const { call, tool, state, offer } = options;
  const { calls } = state;
  const earlier = calls.findLast(
    (one) => hasSucceeded(one) && one.tool === tool.id && isSameCall(tool, one, call),
  );
  if (!earlier) return undefined;
  const isWrite = writesIn(offer);
  const since = calls.slice(calls.indexOf(earlier) + 1);
  const round = roundOf(earlier.id, state);
  // A model that repeats part of a program or message has not seen that it was done; within one, it has.
  const isWithin = roundOf(call.id ?? "", state) === round;
  const between = since.filter(
    (one) =>
      hasSucceeded(one) && isWrite(one.tool) && (isWithin || roundOf(one.id, state) !== round),
  );
  const text = alreadyText(call, earlier);
  const wasTold = since.some(({ error }) => error === text || error === twiceText(call));
  return between.length > 0 || wasTold ? undefined : text;
}

/** Whether two calls of a tool have the same arguments, with schema defaults filled in. */
function isSameCall(
  tool: ToolRecord,
  one: Pick<ToolCall, "args">,
  other: Pick<ToolCall, "args">,
): boolean {
  const filled = validateArguments({ record: tool, args: one.args });
  const others = validateArguments({ record: tool, args: other.args });
  return filled.ok && others.ok && isDeepStrictEqual(filled.args, others.args);
}

/** Identifies calls written together: those of a program, or of one message. */
export function roundOf(id: string, state: GraphState): string | number {
  if (isOfProgram(state, id)) return "program";
  const at = state.messages.findIndex(
    (message) =>
      AIMessage.isInstance(message) && message.tool_calls?.some((call) => call.id === id),
  );
  return at < 0 ? id : at;
}

const ON_PURPOSE = "To repeat it on purpose, send the same call again.";

function alreadyText({ name }: ToolCall, { result }: Call): string {
  const given = result === undefined ? "" : ` and gave ${cutObservation(JSON.stringify(result))}`;
  return `${name} was already called with these arguments in this run${given}, and was not called again. ${ON_PURPOSE}`;
}

function twiceText({ name }: ToolCall): string {
  return `${name} was in one message twice with these arguments and was called once. ${ON_PURPOSE}`;
}

/** A permitted call, with its arguments as a person may have changed them. */
export interface RunnableCall {
  call: ToolCall;
  tool: ToolRecord;
  args: Record<string, unknown>;
}

/** Sorts out which calls may run. @returns undefined if a person has to be asked and is not to be (`unasked`) */
export function permit(options: {
  state: GraphState;
  settings: Settings;
  reply: AIMessage;
  calls: readonly ToolCall[];
  offer: ToolOffer;
  flows: ReadonlyMap<ToolCall, FlowVerdict>;
  unasked: boolean;
}) {
  const { state, settings, reply, calls, offer, flows } = options;
  const refused = new Map<ToolCall, string>();
  const unplanned = calls.filter((call) => !isOfProgram(state, call.id ?? ""));
  const repeated = repeatedWrites(state, unplanned, offer);
  const ending = state.tree ? "finish" : "stop";
  const known = calls.flatMap((call) => {
    const problem =
      refusal({ call, reply, offer, ending }) ??
      repeated.get(call) ??
      refusalText(call, flows.get(call));
    if (problem !== undefined) refused.set(call, problem);
    const tool = offer.offered.get(call.name) ?? offer.forbidden.get(call.name);
    if (problem !== undefined || !tool) return [];
    return [{ call, tool: tool.id, record: tool, price: offer.prices[tool.id] ?? 0 }];
  });
  const reserved = reserve(state, known);
  const { allowed } = reserved;
  for (const { call, tool, price } of reserved.refused)
    refused.set(call, overBudgetText({ name: call.name, tool, price, state, allowed }));
  const { program } = state;
  const held = reserved.allowed.filter(({ call, tool, record }) => {
    // A person may have approved this write of a program with these arguments.
    const write = { id: call.id ?? "", tool, args: call.args, definition: record.hash };
    if (program && isApprovedCall(program, write)) return false;
    // Whoever was asked about a call decides about it, even if it is said to be harmless by now.
    // A saved plan shows its calls, rather than itself, once it has made its reads.
    const isAsked = (needsApproval(record, settings) && !isSavedPlan(record)) || flows.has(call);
    return isAsked || wasAskedAbout({ name: tool, args: call.args });
  });
  if (options.unasked && held.length > 0) return undefined;
  const decisions = askApproval(
    held.map(({ call, record }) => ({ call, tool: record, reason: flows.get(call)?.reason })),
  );
  const runnable = reserved.allowed.flatMap(({ call, record }): RunnableCall[] => {
    const decision = decisions.get(call);
    if (decision?.type === "reject") {
      const why = decision.message ? `: ${decision.message}` : "";
      refused.set(call, `${REJECTED}${why}. Do not repeat it.`);
      return [];
    }
    const args = decision?.type === "edit" ? decision.args : call.args;
    return [{ call, tool: record, args }];
  });
  return { runnable, refused, overBudget: reserved.refused };
}

/** Gives a tool with the price of a call, in units. */
export function pricedTool(settings: Settings): (tool: ToolRecord) => ToolRecord {
  if (settings.budget === undefined) return (tool) => tool;
  return (tool) => ({ ...tool, cost: pricesOf([tool])[tool.id] });
}

/** The tools that tools may call. Such calls are paid from what this message's calls leave of the budget. */
export function nestedTools(options: {
  tools: LibraryView;
  runnable: readonly { tool: ToolRecord }[];
  state: GraphState;
  settings: Settings;
  offer: ToolOffer;
  priced: (tool: ToolRecord) => ToolRecord;
  /** Why flow rules forbid a tool. */
  flowProblem: (tool: ToolRecord) => string | undefined;
}): ToolLookup {
  const { tools, runnable, state, settings, offer, priced, flowProblem } = options;
  const { ledger } = state;
  const reserved: PricedCall[] = runnable.map(({ tool: { id } }) => ({
    tool: id,
    price: offer.prices[id] ?? 0,
  }));
  const get: ToolLookup["get"] = (id) => {
    const tool = tools.get(id);
    if (!tool && tools.withheld().some((one) => one.tool.id === id)) throw absentTool(tools, id);
    const problem = tool && flowProblem(tool);
    if (problem) throw new Error(problem);
    if (!tool || !ledger) return tool;
    const paid = priced(tool);
    const price = inLedgerUnit(paid.cost ?? 0, ledger);
    const { allowed } = reserve({ ...state, ledger: { ...ledger, quotas: null } }, [
      ...reserved,
      { tool: id, price },
    ]);
    if (ledger.enforced && allowed.length <= reserved.length)
      throw new Error(`${id} costs more than the budget of the run allows`);
    reserved.push({ tool: id, price });
    return paid;
  };
  return {
    get,
    find: (id) => tools.get(id),
    needsApproval: (tool) => needsApproval(tool, settings),
  };
}
