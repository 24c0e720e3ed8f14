import { OFFLINE_MODEL, type Context, parseContext } from "../state/context.js";
import type { GraphState, Ledger, StateUpdate, Usage } from "../state/state.js";
import type { ToolLibrary } from "../tools/library/library.js";
import type { Waiting } from "./decisions.js";
import { printWaiting } from "./printWaiting.js";
import type { RunStatus } from "./exit.js";
import { neededText, spentText } from "./ledgerText.js";
import type { ThreadRun } from "./runThread.js";
import { stageLines } from "./stageLines.js";
import type { Wiring } from "../graphs/wire.js";
import { bold, dim, printHanging, styled } from "./terminal.js";

/** The longest names of stages have 14 letters. */
const LABEL_WIDTH = 15;

/** Says what runs, on what, and with which model. */
export function printHeader(options: {
  run: ThreadRun;
  context: Context;
  library: ToolLibrary;
}): void {
  const { run, context, library } = options;
  const model =
    context.model === OFFLINE_MODEL
      ? `${context.model} (built-in rules, not a language model)`
      : context.model;
  const why = run.modelWhy === undefined ? "" : `, for ${run.modelWhy}`;
  const text = `${run.graph} · library ${library.name}, ${library.size} tools · model ${model}${why}`;
  printHanging({ text: dim(text) });
}

/**
 * Prints what each stage did, from its update of the state. Updates carry whole lists, so it keeps
 * what was there before to tell what is new.
 *
 * @param options.stages those of the graph that runs
 * @param options.state what the thread had before, where a run is resumed
 */
export function stagePrinter({ stages, state = {} }: StagesPrinted) {
  let before = state;
  return function printStage(update: Record<string, unknown>): void {
    for (const [node, change] of Object.entries(update)) {
      if (!isUpdate(change)) continue;
      const lines = stageLines({ stage: stages[node], change, before });
      for (const [index, text] of lines.entries()) {
        const label = (index === 0 ? node : "").padEnd(LABEL_WIDTH);
        printHanging({ label: styled("cyan", label), text });
      }
      // Of the messages only the new ones are told, and each update has those alone.
      before = { ...before, ...change, messages: [] };
    }
  };
}

interface StagesPrinted {
  stages: Wiring["stages"];
  state?: Partial<GraphState>;
}

/** A pause is streamed as a list of interrupts in place of a stage's update. */
function isUpdate(change: unknown): change is StateUpdate {
  return typeof change === "object" && change !== null && !Array.isArray(change);
}

/** Prints the answer and, when stages were streamed, what the run has used. */
export function printSummary(options: {
  run: ThreadRun;
  state: Partial<GraphState>;
  status: RunStatus;
  streaming: boolean;
  waiting: Waiting | undefined;
}): void {
  const { run, state, status, streaming, waiting } = options;
  if (status === "cancelled") {
    process.stderr.write(`cancelled; continue with: tulipgraph resume ${run.threadId}\n`);
    return;
  }
  if (streaming) process.stdout.write("\n");
  if (waiting) return printWaiting({ run, waiting });
  const answer = state.answer ?? "";
  if (!streaming) return printHanging({ text: answer });
  printHanging({ text: status === "solved" ? bold(answer) : `${bold(`${status}:`)} ${answer}` });
  const kept = keptText({ run, state });
  if (kept) printHanging({ text: dim(kept) });
  const { usage, ledger } = state;
  if (!usage) return;
  if (ledger) printSpending({ ledger, usage, status });
  printHanging({ text: dim(usageText(usage, run)) });
}

/** What a person may do with tools that were made for this thread alone. */
function keptText({ run, state }: { run: ThreadRun; state: Partial<GraphState> }): string {
  const { madeTools } = parseContext(run.settings);
  const done = (state.edits ?? []).filter(({ outcome }) => outcome === "done");
  const made = done.find(({ kind }) => kind === "create")?.tool;
  const isGone = done.some(({ kind, tool }) => kind === "delete" && tool === made);
  if (!made || isGone || madeTools === "library") return "";
  return `${made} is there for this thread alone; for everybody: tulipgraph tools promote ${made} --thread ${run.threadId}`;
}

function printSpending(options: { ledger: Ledger; usage: Usage; status: RunStatus }): void {
  const { ledger, usage, status } = options;
  const needed = status === "budget" ? neededText({ ledger, usage }) : undefined;
  if (needed !== undefined) printHanging({ text: needed });
  printHanging({ text: dim(spentText({ ledger, usage })) });
}

function usageText(usage: GraphState["usage"], { threadId }: ThreadRun): string {
  const { modelCalls, inputTokens, outputTokens, estimated, ms } = usage;
  const tokens = `${inputTokens} tokens in, ${outputTokens} out${estimated ? " (estimated)" : ""}`;
  return `${modelCalls} model ${modelCalls === 1 ? "call" : "calls"} · ${tokens} · ${(ms / 1000).toFixed(1)} s · thread ${threadId}`;
}
