import type { AIMessage } from "@langchain/core/messages";
import type { Settings } from "../../state/settings.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import type { Known } from "../../plans/grounding/sources.js";
import { isNoAnswer, tellsNothing } from "./emptyAnswer.js";
import { branchEnd, stopOf, taskEnd } from "./finish.js";
import { doubtsAbout, doubtsText, groundedAnswer } from "./grounded.js";
import { knownTo } from "../shared/knownTo.js";
import { resultsInWords } from "../shared/resultsInWords.js";

/** The stage under which an answer is asked for again, which limits that to once. */
export const ANSWER_STAGE = "answer";

/** What `act` read from a reply, and the reply as in the history. */
export interface ReadReply {
  message: AIMessage;
  update: StateUpdate;
}

/** How the work ends here, and what was done for the answer. */
interface Surroundings {
  state: GraphState;
  context: Settings;
  ending: "stop" | "finish";
  scope: "run" | "task";
  /** Calls the answer is about. */
  calls: readonly Call[];
  /** Whether the model could have called a tool. */
  mayCall: boolean;
  /** Name of the control tool that ends the work. */
  endName: string;
  /** Whether a tool changes something, by its id. */
  isWrite: (tool: string) => boolean;
}

/**
 * Checks a reply's answer: its values must come from what was said or from calls, and words alone are no answer
 * before the first call if there are tools. The model is told once what is wrong; if the next answer is no
 * better, what the tools found replaces it. In step searches and task trees, where an answer does not end the
 * run, their agendas replace it.
 *
 * @returns the reading of the reply, or what to tell the model
 */
export function groundReply(
  reply: ReadReply,
  surroundings: Surroundings,
): { update: StateUpdate } | { problem: string } {
  const { update } = reply;
  const { state, context, ending, scope, calls, mayCall } = surroundings;
  const said = answerIn(reply.message, surroundings);
  const wasCalled = isWorkDone(state, calls);
  if (!said || update.status === "limit" || !(mayCall || wasCalled)) return { update };
  const { answer, inWords } = said;
  const known = knownTo({ state, context });
  const fault = faultOf({ said, isHasty: inWords && mayCall && !wasCalled, known, surroundings });
  if (!fault) return { update };
  if (state.repair?.stage !== ANSWER_STAGE) return { problem: fault.problem };
  if (ending === "finish" || scope === "task") return { update };
  const claimed = said.claimed && fault.kind !== "hasty" && !(inWords && fault.kind === "silent");
  const own = fault.kind === "data" ? "" : answer;
  const grounded = groundedAnswer({ state, calls, answer: own, known, claimed });
  const failed = update.status === "solved" ? "unsolved" : update.status;
  const found = fault.kind === "silent" ? resultsInWords({ calls: [...calls] }) : "";
  return {
    update: {
      ...update,
      answer: [grounded.answer, found].filter(Boolean).join(" "),
      status: grounded.solved ? "solved" : failed,
    },
  };
}

interface Fault {
  kind: "data" | "hasty" | "silent" | "doubtful";
  /** For the model. */
  problem: string;
}

/** What is wrong with an answer, if anything. */
function faultOf(options: {
  said: { answer: string; inWords: boolean };
  isHasty: boolean;
  known: Known;
  surroundings: Surroundings;
}): Fault | undefined {
  const { said, isHasty, known, surroundings } = options;
  const { answer, inWords } = said;
  const { calls, endName, isWrite } = surroundings;
  if (isNoAnswer(answer, { inWords })) {
    const problem = `That is not an answer. Call a tool, or call ${endName} with the final answer in words.`;
    return { kind: "data", problem };
  }
  if (isHasty) {
    const problem = `It called no tool. Call one now, or call ${endName} with the final answer if none is needed.`;
    return { kind: "hasty", problem };
  }
  if (tellsNothing({ answer, calls, isWrite })) {
    const problem = `It tells nothing of the results. Make the calls that are missing, or call ${endName} with an answer that gives the results.`;
    return { kind: "silent", problem };
  }
  const doubts = doubtsAbout(answer, known);
  const instead = `Call the tools that give it, or call ${endName} without it.`;
  return doubts.length > 0 ? { kind: "doubtful", problem: doubtsText(doubts, instead) } : undefined;
}

/** Whether anything was called, or changed in the library, that an answer can be about. */
export function isWorkDone({ edits }: Pick<GraphState, "edits">, calls: readonly Call[]): boolean {
  return edits.length > 0 || calls.some(({ refused }) => !refused);
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
