import { AIMessage } from "@langchain/core/messages";
import { LONGEST_MESSAGE, shortened } from "../../common/bounds.js";
import type { ModelRequest } from "../../models/ask.js";
import { leftOf } from "../../state/ledger.js";
import {
  type GraphState,
  type Ledger,
  type StateUpdate,
  type Usage,
  addUsage,
} from "../../state/state.js";
import { type Excess, excessOfReply, repairOrEnd } from "./repair.js";

/** A reply and the run's usage so far, or the update that ends the run instead. */
export type Asked = { reply: AIMessage; usage: Usage } | { end: StateUpdate };

/**
 * Asks a model at a stage. The run ends if a limit forbids asking (`respond` then reports what was found), if a
 * dollar budget does not cover it, or if the provider reports that the model refused. An overlong reply is
 * asked for again, or cut if the stage asks only once.
 *
 * @param repairAt the stage under which the node asks again, if it uses another stage's prompt
 */
export async function askModel(
  state: GraphState,
  question: Omit<ModelRequest, "usage" | "dollarsLeft">,
  repairAt: string = question.prompt.stage,
): Promise<Asked> {
  const { ledger, usage: before } = state;
  const inDollars = ledger?.enforced && ledger.unit === "usd";
  const dollarsLeft = inDollars ? leftOf(state) : undefined;
  // Loaded at the first question: clients of models take long.
  const { ask } = await import("../../models/ask.js");
  const answer = await ask({ ...question, usage: before, dollarsLeft });
  if ("unaffordable" in answer)
    return { end: outOfMoney(state, { what: "a reply of the model", price: answer.unaffordable }) };
  if ("limit" in answer) {
    const text = `Stopped by ${answer.limit} before the request was answered.`;
    return { end: { status: "limit", answer: text } };
  }
  const usage = addUsage(state.usage, answer.used);
  const refusal = answer.reply.additional_kwargs["refusal"];
  if (typeof refusal === "string" && refusal) {
    return { end: { repair: null, status: "unsolved", answer: refusal, usage } };
  }
  const tooMuch = excessOfReply(answer.reply);
  if (!tooMuch) return { reply: answer.reply, usage };
  if (question.prompt.once) return { reply: cut(answer.reply), usage };
  return { end: askedForLess({ state, stage: repairAt, tooMuch, usage }) };
}

/** The reply itself is not shown again: it is too long. */
function askedForLess(options: {
  state: GraphState;
  stage: string;
  tooMuch: Excess;
  usage: Usage;
}): StateUpdate {
  const { tooMuch, ...question } = options;
  const { excess, instead } = tooMuch;
  const problem = `Your last reply had ${excess}. ${instead}`;
  const update = repairOrEnd({ ...question, problem });
  return update.status === "error"
    ? { ...update, answer: `${update.answer} It had ${excess}.` }
    : update;
}

function cut({ id, text, usage_metadata, response_metadata }: AIMessage): AIMessage {
  const content = shortened(text, LONGEST_MESSAGE);
  return new AIMessage({ id, content, usage_metadata, response_metadata });
}

/** The end of a run whose budget does not cover the next step. */
export function outOfMoney({ ledger }: GraphState, lacked: Ledger["refused"][number]): StateUpdate {
  return {
    status: "budget",
    answer: "Stopped by the budget before the request was answered.",
    ...(ledger ? { ledger: { ...ledger, refused: [...ledger.refused, lacked] } } : {}),
  };
}
