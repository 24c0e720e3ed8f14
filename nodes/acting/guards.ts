import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { UnknownName } from "../../common/errors.js";
import { TOO_DEEP } from "../../models/reply.js";
import { type PricedCall, leftOf } from "../../state/ledger.js";
import type { GraphState } from "../../state/state.js";
import { FINISH, STOP } from "../../tools/control.js";
import type { ToolOffer } from "../shared/offeredTools.js";

/** Most characters of unreadable arguments shown to the model. */
const SHOWN_LENGTH = 200;

/** What the control tool that ends the work expects. */
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
  /** The reply with the call. */
  reply: AIMessage;
  offer: ToolOffer;
  /** The control tool that ends the work here. */
  ending: keyof typeof ENDINGS;
}): string | undefined {
  const { call, reply, offer, ending } = options;
  const unreadable = reply.invalid_tool_calls?.find(({ id }) => id === call.id);
  if (unreadable) {
    return unreadable.error === TOO_DEEP
      ? `the arguments of ${call.name} are ${TOO_DEEP}. Send the call again with flatter ones.`
      : `the arguments of ${call.name} are not a JSON object: ${unreadable.args?.slice(0, SHOWN_LENGTH)}. Send the call again with valid JSON.`;
  }
  const { name: end, needs } = ENDINGS[ending];
  if (call.name === end) {
    return (reply.tool_calls ?? []).length > 1
      ? `${end} came with other calls, before their results were known. Read the results, then call ${end} alone.`
      : `${end} needs ${needs}.`;
  }
  if (offer.useless.has(call.name)) {
    return `${call.name} has not been helpful in this run and was not called again. ${goOnWith(end)}`;
  }
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
export function overBudgetText(options: {
  name: string;
  /** Id of the tool. */
  tool: string;
  price: number;
  state: Pick<GraphState, "ledger" | "usage" | "tree">;
  allowed: readonly PricedCall[];
}): string {
  const { name, state } = options;
  return `${name} was not called: ${whyNotPaid(options)}. ${goOnWith(state.tree ? FINISH.name : STOP.name)}`;
}

function whyNotPaid(options: Parameters<typeof overBudgetText>[0]): string {
  const { tool, price, state, allowed } = options;
  const left = leftOf(state);
  if (price > left) return `budget exceeded, it costs ${price}, and ${left} of the budget is left`;
  const granted = state.ledger?.quotas?.[tool] ?? 0;
  const taken = allowed.filter((call) => call.tool === tool).length;
  if (state.ledger?.quotas && taken >= granted)
    return `the calls granted to it are used up (what is left of the budget, ${left}, is for other tools)`;
  return `budget exceeded, it costs ${price}, and the calls made beside it leave too little of ${left}`;
}

/** Names no tools: the offer may change once this reply's calls are paid. */
function goOnWith(end: string): string {
  return `Go on with the tools still on offer, or call ${end}.`;
}
