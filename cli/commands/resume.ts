import type { CommandForm } from "../command.js";
import { InvalidSetting } from "../../common/errors.js";
import type { GraphState } from "../../state/state.js";
import {
  type DecisionOptions,
  type Waiting,
  answersOn,
  decisionsOn,
  isAnswered,
  questionIn,
  waitingFor,
} from "../runs/decisions.js";
import { hasEnded } from "../../graphs/openGraph.js";
import { findGraph } from "../../graphs/ownGraphs.js";
import { RUN_OPTIONS, type RunOptions, settingsOf } from "../options.js";
import { runThread } from "../runs/runThread.js";
import type { ThreadHold } from "../../tools/calls/journal/threadHolds.js";
import { settingsGoingOn } from "../../state/goingOn.js";
import { findThread, holdingThread, readThread } from "../runs/threads.js";

type ResumeOptions = RunOptions & DecisionOptions;

/** `tulipgraph resume THREAD` */
export const RESUME: CommandForm = {
  about:
    "Continue a run that was interrupted or is waiting for an approval or an answer. It keeps its settings, and finished calls are not repeated",
  args: { "<thread>": "the thread's id" },
  options: {
    "--approve": {
      text: "approve the calls, the change to a tool, or the plan",
      conflicts: ["reject", "edit", "answer"],
    },
    "--reject [reason]": {
      text: "reject them; the model is told the reason. With a reason, a plan is rewritten; without one, it is abandoned",
      conflicts: ["edit", "answer"],
    },
    "--edit <file>": {
      text: "approve with changes: a JSON file with new arguments, or a file with the code of the tool or program",
      conflicts: ["answer"],
    },
    "--answer <json>": "answer a question with these fields; for several questions, a list",
    ...RUN_OPTIONS,
  },
  examples: [
    "tulipgraph resume 5de3445a-c67c-4741-a51e-04b33bab8d6d",
    "tulipgraph resume homework --set approval=plan",
    'tulipgraph resume homework --reject "ask the owner first"',
  ],
  run: async (threadId: string, options: ResumeOptions) => {
    const { id } = await findThread(threadId);
    return await holdingThread(id, (hold) => resume(id, hold, options));
  },
};

async function resume(threadId: string, hold: ThreadHold, options: ResumeOptions): Promise<number> {
  const thread = await findThread(threadId);
  const graph = findGraph(thread.graph);
  const snapshot = await readThread(thread);
  if (hasEnded(snapshot)) {
    const { status = thread.status } = snapshot.values as Partial<GraphState>;
    throw new InvalidSetting({
      setting: `thread ${threadId}`,
      problem: `has nothing to resume: its last run ended with status ${status}`,
      hint: `continue with: tulipgraph solve "…" --thread ${threadId}`,
    });
  }
  const decided = inputOf(waitingFor(snapshot), options);
  const input = decided && { interrupt: questionIn(snapshot), ...decided };
  const given = await settingsOf(options);
  requireNoBudget(given);
  // What the run began with holds; a thread of an older version says it only here.
  const settings = { ...settingsGoingOn(thread.settings, given) };
  return await runThread({ threadId, hold, graph, settings, input, output: options });
}

function inputOf(waiting: Waiting | undefined, given: DecisionOptions) {
  const isQuestion = waiting !== undefined && isAnswered(waiting);
  if (given.answer !== undefined && !isQuestion) {
    throw new InvalidSetting({
      setting: "--answer",
      problem: waiting ? "what waits is not a question" : "nothing waits for an answer",
      hint: waiting ? "Decide with --approve, --reject or --edit" : "Resume the thread without it",
    });
  }
  const decisions = isQuestion ? answersOn(waiting, given) : decisionsOn(waiting, given);
  return decisions ? { decisions } : null;
}

/** A run's ledger is opened by its first stage, so another amount would have no effect. */
function requireNoBudget({ budget }: Record<string, unknown>): void {
  if (budget === undefined) return;
  throw new InvalidSetting({
    setting: "budget",
    problem: "a run keeps the budget that it began with",
    hint: 'leave it out, or start a new run: tulipgraph solve "…" --budget AMOUNT',
  });
}
