import {
  type StageChange,
  type StageFacts,
  linesOfChange,
  wholeResult,
} from "../../nodes/kit/stage.js";
import { several } from "../../common/text.js";
import { writtenValue } from "../../plans/steps/references.js";
import { OFFLINE_MODEL, parseSettings } from "../../state/settings.js";
import { receiptText } from "../../state/deeds.js";
import {
  type Call,
  type GraphState,
  type Ledger,
  NOTHING_USED,
  type PlanState,
  type ProgramState,
  type StateUpdate,
  type Usage,
} from "../../state/state.js";
import type { Waiting } from "./decisions.js";
import { printWaiting } from "./printWaiting.js";
import type { RunStatus } from "../exit.js";
import { spentBy } from "../../state/ledger.js";
import { amountText, callsText, shareText } from "../../state/budgetSetting.js";
import type { PreparedRun } from "./prepareRun.js";
import type { Wiring } from "../../graphs/wire.js";
import { bold, dim, lineText, printHanging, styled, printLine, tell } from "../printing/print.js";

/** The longest stage names have 14 letters. */
const LABEL_WIDTH = 15;

/** Prints the graph, the library and the model of a run. */
export function printHeader({ graph, library, settings, modelWhy }: PreparedRun): void {
  const { model } = parseSettings(settings);
  const kind = model === OFFLINE_MODEL ? " (built-in rules, not a language model)" : "";
  const why = modelWhy === undefined ? "" : `, because ${modelWhy}`;
  const tools = several(library.size, "tool");
  const text = `${graph} · library ${library.name}, ${tools} · model ${model}${kind}${why}`;
  printHanging({ text: dim(text) });
}

/**
 * Makes a function that prints what each stage did, from its state update. Updates carry whole lists, so it remembers
 * the earlier state to tell what is new.
 *
 * @param options.stages those of the running graph
 * @param options.state the thread's state before the run, when it is resumed
 */
export function stagePrinter({
  stages,
  state = {},
}: {
  stages: Wiring["stages"];
  state?: Partial<GraphState>;
}) {
  let before = state;
  return function printStage(update: Record<string, unknown>): void {
    for (const [node, change] of Object.entries(update)) {
      if (!isUpdate(change)) continue;
      const lines = stageLines({ stage: stages[node], change, before });
      for (const [index, text] of lines.entries()) {
        const label = (index === 0 ? node : "").padEnd(LABEL_WIDTH);
        printHanging({ label: styled("cyan", label), text });
      }
      // Updates carry only the new messages, so there are no earlier ones to remember.
      before = { ...before, ...change, messages: [] };
    }
  };
}

function stageLines(options: StageChange & { stage?: StageFacts }): string[] {
  return linesOfChange(options).map(lineText);
}

/** A pause is streamed as a list of interrupts instead of a stage's update. */
function isUpdate(change: unknown): change is StateUpdate {
  return typeof change === "object" && change !== null && !Array.isArray(change);
}

/** Prints the answer and, if stages were streamed, what the run used. */
export function printSummary(options: {
  run: PreparedRun;
  state: Partial<GraphState>;
  status: RunStatus;
  waiting: Waiting | undefined;
}): void {
  const { run, state, status, waiting } = options;
  const { streaming } = run;
  if (status === "cancelled") {
    tell(`Cancelled. To continue: tulipgraph resume ${run.threadId}`);
    return;
  }
  if (streaming) printLine("");
  if (waiting) return printWaiting(run.threadId, waiting);
  const answer = state.answer ?? "";
  if (!streaming) return printHanging({ text: answer });
  printHanging({ text: status === "solved" ? bold(answer) : `${bold(`${status}:`)} ${answer}` });
  for (const line of state.deeds ? receiptText(state.deeds) : []) printHanging({ text: line });
  const kept = keptText(run, state);
  if (kept) printHanging({ text: dim(kept) });
  const { usage, ledger } = state;
  if (!usage) return;
  if (ledger) printSpending(ledger, usage, status);
  printHanging({ text: dim(usageText(usage, run)) });
}

/** What a person can do with a tool that was made for this thread alone. */
function keptText(run: PreparedRun, state: Partial<GraphState>): string {
  const { madeTools } = parseSettings(run.settings);
  const done = (state.edits ?? []).filter(({ outcome }) => outcome === "done");
  const made = done.find(({ kind }) => kind === "create")?.tool;
  const isGone = done.some(({ kind, tool }) => kind === "delete" && tool === made);
  if (!made || isGone || madeTools === "library") return "";
  return `${made} belongs to this thread only. To share it: tulipgraph tools add ${made} --thread ${run.threadId}`;
}

function printSpending(ledger: Ledger, usage: Usage, status: RunStatus): void {
  const needed = status === "budget" ? neededText({ ledger, usage }) : undefined;
  if (needed !== undefined) printHanging({ text: needed });
  printHanging({ text: dim(spentText({ ledger, usage })) });
}

function usageText(usage: GraphState["usage"], { threadId }: PreparedRun): string {
  const { modelCalls, inputTokens, cachedTokens, cacheEstimated, outputTokens, estimated, ms } =
    usage;
  const cached = cachedTokens ? ` (${cacheEstimated ? "about " : ""}${cachedTokens} cached)` : "";
  const tokens = `${inputTokens} tokens in${cached}, ${outputTokens} out${estimated ? " (estimated)" : ""}`;
  return `${several(modelCalls, "model call")} · ${tokens} · ${(ms / 1000).toFixed(1)} s · thread ${threadId}`;
}

interface Spending {
  ledger: Ledger;
  usage: Usage;
}

/** What a run spent of its budget, and what it was granted at first. */
function spentText({ ledger, usage }: Spending): string {
  const { planned, unit, amount } = ledger;
  const spent = `${shareText({ part: spentBy({ ledger, usage }), amount, unit })} spent`;
  if (!planned) return spent;
  const cost = amountText({ amount: planned.cost, unit: "units" });
  return `${spent} · first granted: ${callsText(planned.calls)} for ${cost}`;
}

/** What a run was refused because of its budget, and what it all would have cost; undefined if nothing was refused. */
function neededText({ ledger, usage }: Spending): string | undefined {
  const { unit, amount, refused } = ledger;
  if (refused.length === 0) return undefined;
  const priceOf = new Map(refused.map(({ what, price }) => [what, price]));
  const shown = [...priceOf].map(
    ([what, price]) => `${what} ${amountText({ amount: price, unit })}`,
  );
  // What was refused repeatedly counts once: this is the least that would have sufficed.
  const needed = [...priceOf.values()].reduce(
    (sum, price) => sum + price,
    spentBy({ ledger, usage }),
  );
  const least = needed > amount ? ` · needed at least ${amountText({ amount: needed, unit })}` : "";
  return `refused because of the budget: ${shown.join(", ")}${least}`;
}

/** The object that `--json` prints for a run. Results that the state only refers to are included whole. */
export function runReport(options: {
  run: Pick<PreparedRun, "graph" | "threadId"> & Partial<Pick<PreparedRun, "notices">>;
  /** Empty if the run was cancelled before its first stage. */
  state: Partial<GraphState>;
  status: RunStatus;
  /** What the run waits for from a person. */
  waiting?: Waiting;
}) {
  const { run, state, status, waiting } = options;
  const { notices = [] } = run;
  const { answer = "", subtasks = [], searches = [], calls = [], usage = NOTHING_USED } = state;
  const { demonstrations = [] } = state;
  return {
    graph: run.graph,
    status,
    answer,
    subtasks,
    searches: searches.map(({ phrase, depth, hits }) => ({ phrase, depth, hits })),
    demonstrations:
      demonstrations.length > 0
        ? demonstrations.map(({ task, calls: made }) => ({
            task,
            tools: made.map(({ tool }) => tool),
          }))
        : undefined,
    calls: calls.map(reportedCall),
    deeds: state.deeds ?? undefined,
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

function reportedBudget(state: Partial<Pick<GraphState, "ledger">> & Pick<GraphState, "usage">) {
  const { ledger, usage } = state;
  if (!ledger) return undefined;
  const { unit, amount, planned, plan, refused } = ledger;
  return { unit, amount, spent: spentBy({ ledger, usage }), planned, plan, refused };
}
