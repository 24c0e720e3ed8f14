import type { AIMessage } from "@langchain/core/messages";
import type { Settings } from "../../state/settings.js";
import type { Call, GraphState, StateUpdate } from "../../state/state.js";
import { isSmallTalk } from "../../plans/grounding/smallTalk.js";
import type { Known } from "../../plans/grounding/sources.js";
import { mayAskAgain } from "../kit/askModel.js";
import { isNoAnswer, tellsNothing } from "./emptyAnswer.js";
import { ANSWER_STAGE, branchEnd, type ReadReply, stopOf, taskEnd } from "./readReply.js";
import {
  doubtsAbout,
  doubtsText,
  groundedAnswer,
  knownTo,
  restsOnEarlier,
} from "../policy/grounding.js";
import { resultsInWords } from "../policy/callTexts.js";

interface Surroundings {
  state: GraphState;
  settings: Settings;
  ending: "stop" | "finish";
  scope: "run" | "task";
  calls: readonly Call[];
  /** Whether the model could have called a tool. */
  mayCall: boolean;
  endName: string;
  /** Whether a tool changes something, by its id. */
  isWrite: (tool: string) => boolean;
}

/**
 * Checks a reply's answer: its values must come from what was said or from calls, and before the first call it
 * has to rest on an earlier result of the thread, or to say that no tool is needed. The model is told once what
 * is wrong; if the next answer is no better, what the tools found replaces it. In step searches and task trees,
 * where an answer does not end the run, their agendas replace it.
 *
 * @returns the reading of the reply, or what to tell the model and what else of the state changes
 */
export async function groundReply(
  reply: ReadReply,
  surroundings: Surroundings,
): Promise<{ update: StateUpdate } | { problem: string; besides: StateUpdate }> {
  const { update } = reply;
  const { state, settings, ending, scope, calls, mayCall } = surroundings;
  const said = answerIn(reply.message, surroundings);
  const wasCalled = isWorkDone(state, calls);
  if (!said) return { update };
  const isHasty = saysTooSoon(said, surroundings);
  if (!(mayCall || wasCalled || isHasty)) return { update };
  const { answer, inWords } = said;
  const known = knownTo(state, settings);
  const fault =
    faultOf({ said, isHasty, known, surroundings }) ?? (await contradictionOf(said, surroundings));
  if (!fault) return { update };
  const isTold = state.repair?.stage === ANSWER_STAGE;
  const times = state.run.contradicted ?? 0;
  if (fault.kind === "contradicted" && times >= MOST_CONTRADICTED) return { update };
  if (!isTold && mayAskAgain(state)) {
    const run = fault.kind === "contradicted" && { ...state.run, contradicted: times + 1 };
    return { problem: fault.problem, besides: run ? { run } : {} };
  }
  if (ending === "finish" || scope === "task") return { update };
  // An answer that came too soon twice, or contradicts its calls, is left to `respond`.
  if (fault.kind === "contradicted") return { update };
  if (fault.kind === "hasty" && doubtsAbout(answer, known).length === 0) return { update };
  const claimed = said.claimed && !(inWords && fault.kind === "silent");
  const own = fault.kind === "data" ? "" : answer;
  const grounded = groundedAnswer({ state, calls, answer: own, known, claimed });
  const { status } = update;
  const isClaim = status === "solved" || status === "answered";
  const failed = isClaim ? "unsolved" : status;
  const solved = isClaim ? status : "solved";
  const found = fault.kind === "silent" ? resultsInWords({ calls: [...calls] }) : "";
  return {
    update: {
      ...update,
      answer: [grounded.answer, found].filter(Boolean).join(" "),
      status: grounded.solved ? solved : failed,
    },
  };
}

/** A model that calls more, and whose answer contradicts its calls still, does not find out of it by itself. */
const MOST_CONTRADICTED = 2;

/** Whether an answer comes before the first call that it can rest on, and does not say that it needs none. */
function saysTooSoon(said: Said, { state, calls, mayCall }: Surroundings): boolean {
  const { answer, claimed, inWords, noToolNeeded } = said;
  const inWordsAlone = inWords && mayCall && !isWorkDone(state, calls);
  if (!inWordsAlone && (!claimed || isWorkDone(state, state.calls))) return false;
  if (noToolNeeded || isSmallTalk(state.run.request)) return false;
  return !restsOnEarlier(answer, state);
}

interface Fault {
  kind: "data" | "hasty" | "silent" | "doubtful" | "contradicted";
  problem: string;
}

function faultOf(options: {
  said: Said;
  isHasty: boolean;
  known: Known;
  surroundings: Surroundings;
}): Fault | undefined {
  const { said, isHasty, known, surroundings } = options;
  const { answer, inWords } = said;
  const { calls, mayCall, endName, isWrite } = surroundings;
  if (isNoAnswer(answer, { inWords })) {
    const problem = `That is not an answer. Call a tool, or call ${endName} with the final answer in words.`;
    return { kind: "data", problem };
  }
  if (isHasty) {
    const problem = `No tool was called. ${mayCall ? "Call one now, or call" : "Call"} ${endName}: with no_tool_needed if the request needs no tool, otherwise with solved false and what is missing.`;
    return { kind: "hasty", problem };
  }
  if (tellsNothing(answer, calls, isWrite)) {
    const problem = `It says nothing about the results. Make the missing calls, or call ${endName} with an answer that gives the results.`;
    return { kind: "silent", problem };
  }
  const doubts = doubtsAbout(answer, known);
  const instead = `Call the tools that give it, or call ${endName} without it.`;
  return doubts.length > 0 ? { kind: "doubtful", problem: doubtsText(doubts, instead) } : undefined;
}

/** How a claimed answer to the request contradicts the calls of the run. */
async function contradictionOf(
  { answer, claimed, noToolNeeded }: Said,
  { state, settings, scope, mayCall, endName }: Surroundings,
): Promise<Fault | undefined> {
  if (scope === "task" || !(claimed || noToolNeeded)) return undefined;
  const { contradictionsIn } = await import("../policy/contradictions.js");
  const { toolsOfRun } = await import("../policy/deeds.js");
  const tools = await toolsOfRun(state, settings);
  const told = contradictionsIn(answer, state, tools).map(({ text, on }) =>
    on ? `${text}. ${on.how}` : `${text}.`,
  );
  if (told.length === 0) return undefined;
  const calls = mayCall ? "Make the missing calls, or call" : "Call";
  const problem = `The answer does not agree with what was done. ${told.join(" ")} ${calls} ${endName} with an answer that says so.`;
  return { kind: "contradicted", problem };
}

/** Whether anything was called, or changed in the library, that an answer can be about. */
export function isWorkDone({ edits }: Pick<GraphState, "edits">, calls: readonly Call[]): boolean {
  return edits.length > 0 || calls.some(({ refused }) => !refused);
}

interface Said {
  answer: string;
  claimed: boolean;
  /** It is the whole reply, not passed to a control tool. */
  inWords: boolean;
  noToolNeeded?: boolean;
}

function answerIn(
  message: AIMessage,
  { ending, scope }: Pick<Surroundings, "ending" | "scope">,
): Said | undefined {
  const calls = message.tool_calls ?? [];
  const inWords = calls.length === 0;
  if (ending === "finish") {
    const end = branchEnd(message);
    if (end?.end !== "answer") return undefined;
    return { answer: end.said, claimed: end.solved, inWords, noToolNeeded: end.noToolNeeded };
  }
  const end = scope === "task" || inWords ? taskEnd(message) : stopOf(calls);
  if (!end) return undefined;
  const { message: answer, solved: claimed, no_tool_needed: noToolNeeded } = end;
  return { answer, claimed, inWords, noToolNeeded };
}
