import { wholeResult } from "../../nodes/shared/stage.js";
import { writtenValue } from "../../plans/steps/solutionText.js";
import {
  type Call,
  type GraphState,
  NOTHING_USED,
  type PlanState,
  type ProgramState,
} from "../../state/state.js";
import type { Waiting } from "./decisions.js";
import type { RunStatus } from "../exit.js";
import { reportedBudget } from "./printRun.js";
import type { ThreadRun } from "./runThread.js";

/** The object that `--json` prints for a run. Results that the state only refers to are included whole. */
export function runReport(options: {
  run: Pick<ThreadRun, "graph" | "threadId">;
  /** Empty if the run was cancelled before its first stage. */
  state: Partial<GraphState>;
  status: RunStatus;
  /** What the run waits for from a person. */
  waiting?: Waiting;
  /** See `graphNotices`. */
  notices?: readonly string[];
}) {
  const { run, state, status, waiting, notices = [] } = options;
  const { answer = "", subtasks = [], searches = [], calls = [], usage = NOTHING_USED } = state;
  return {
    graph: run.graph,
    status,
    answer,
    subtasks,
    searches: searches.map(({ phrase, depth, hits }) => ({ phrase, depth, hits })),
    calls: calls.map(reportedCall),
    plan: state.plan ? reportedPlan(state.plan) : undefined,
    program: state.program ? reportedProgram(state.program, calls) : undefined,
    waiting,
    edits: state.edits?.length ? state.edits : undefined,
    usage,
    budget: reportedBudget({ ledger: state.ledger, usage }),
    notices: notices.length > 0 ? notices : undefined,
    threadId: run.threadId,
  };
}

function reportedCall(call: Call) {
  const { tool, args, error, ms, cost, refused, helpful } = call;
  return { tool, args, result: wholeResult(call), error, ms, cost, refused, helpful };
}

/** A plan with references as texts. */
function reportedPlan({ steps, repairs, issues }: PlanState) {
  const written = steps.map(({ tool, args }) => ({ tool, args: writtenValue(args) }));
  return { steps: written, repairs, issues };
}

/** A program; each place that made a call has the position of that call in `calls`. */
function reportedProgram(program: ProgramState, calls: readonly Call[]) {
  const { code, repairs, issues, callIds, looks, skipped, left } = program;
  const positions = new Map(calls.map(({ id }, at) => [id, at]));
  const made = Object.entries(callIds).map(([place, id]) => [place, positions.get(id)]);
  const byPlace = Object.fromEntries(made) as Record<string, number | undefined>;
  return { code, repairs, issues, calls: byPlace, looks, skipped, left };
}
