import type { AIMessage } from "@langchain/core/messages";
import type { Context } from "../state/context.js";
import type { Call, GraphState, StateUpdate } from "../state/state.js";
import { branchEnd, stopOf, taskEnd } from "./finish.js";
import { doubtsAbout, doubtsText, groundedAnswer } from "./grounded.js";
import { knownTo } from "./known.js";

/** The stage under which an answer is asked for again, so that it is asked for again once. */
export const ANSWER_STAGE = "answer";

/** What `act` has made of a reply, and the reply as it stands in the history. */
export interface ReadReply {
  message: AIMessage;
  update: StateUpdate;
}

/** What ends the work where, and what was done for the answer. */
interface Surroundings {
  state: GraphState;
  context: Context;
  ending: "stop" | "finish";
  scope: "run" | "task";
  /** Calls that the answer is about. */
  calls: readonly Call[];
  /** Whether the model could have called a tool. */
  mayCall: boolean;
  /** Name of the control tool that ends the work. */
  endName: string;
}

/**
 * Looks at the answer of a reply: its values have to come from what was said or from calls, and words alone
 * are no answer before any call was made, where there are tools. The model is told once what is wrong; an
 * answer that is no better then is replaced by what the tools have found. In searches and task trees, where
 * an answer does not end the run, their agendas replace it.
 *
 * @returns what the reply comes to, or what the model is to be told
 */
export function groundReply(
  reply: ReadReply,
  surroundings: Surroundings,
): { update: StateUpdate } | { problem: string } {
  const { update } = reply;
  const { state, context, ending, scope, calls, mayCall, endName } = surroundings;
  const said = answerIn(reply.message, surroundings);
  const wasCalled = isWorkDone(state, calls);
  if (!said || update.status === "limit" || !(mayCall || wasCalled)) return { update };
  const { answer, inWords } = said;
  const isHasty = inWords && mayCall && !wasCalled;
  const known = knownTo({ state, context });
  const doubts = doubtsAbout(answer, known);
  if (!isHasty && doubts.length === 0) return { update };
  if (state.repair?.stage !== ANSWER_STAGE) {
    const instead = `Call the tools that give it, or call ${endName} with values that the request or the results give, and leave out what they do not give.`;
    return { problem: isHasty ? hastyText(endName) : doubtsText(doubts, instead) };
  }
  if (ending === "finish" || scope === "task") return { update };
  const claimed = said.claimed && !isHasty;
  const grounded = groundedAnswer({ state, calls, answer, known, claimed });
  const failed = update.status === "solved" ? "unsolved" : update.status;
  return {
    update: { ...update, answer: grounded.answer, status: grounded.solved ? "solved" : failed },
  };
}

/** Whether something was called, or changed in the library, that an answer can be about. */
export function isWorkDone({ edits }: Pick<GraphState, "edits">, calls: readonly Call[]): boolean {
  return edits.length > 0 || calls.some(({ refused }) => !refused);
}

function hastyText(endName: string): string {
  return `It called no tool. Call a tool now, or call ${endName} with the final answer if the request needs none.`;
}

function answerIn(
  message: AIMessage,
  { ending, scope }: Pick<Surroundings, "ending" | "scope">,
): { answer: string; claimed: boolean; inWords: boolean } | undefined {
  const calls = message.tool_calls ?? [];
  const inWords = calls.length === 0;
  if (ending === "finish") {
    const end = branchEnd(message);
    return end?.end === "answer" ? { answer: end.said, claimed: end.solved, inWords } : undefined;
  }
  const end = scope === "task" || inWords ? taskEnd(message) : stopOf(calls);
  return end && { answer: end.message, claimed: end.solved, inWords };
}
