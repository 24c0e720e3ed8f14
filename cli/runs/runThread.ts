import { knowingResults } from "../../nodes/kit/stage.js";
import type { GraphState } from "../../state/state.js";
import { exitCodeOf } from "../exit.js";
import { printJson } from "../printing/print.js";
import { waitingFor } from "./decisions.js";
import { type PreparedRun, prepareRun, type ThreadRun } from "./prepareRun.js";
import { printHeader, printSummary, runReport } from "./printRun.js";
import { type StreamedRun, streamRun } from "./streamRun.js";

/** Runs a graph on a thread, prints what `output` asks for, and returns the exit code. */
export async function runThread(run: ThreadRun): Promise<number> {
  const prepared = await prepareRun(run);
  if (prepared.streaming) printHeader(prepared);
  for (const notice of prepared.notices) process.stderr.write(`note: ${notice}\n`);
  return await reportRun(prepared, await streamRun(prepared));
}

async function reportRun(run: PreparedRun, { status, snapshot }: StreamedRun): Promise<number> {
  const state = snapshot.values as Partial<GraphState>;
  const { calls = [] } = state;
  const report = { run, state, status, waiting: waitingFor(snapshot) };
  if (run.output.json) printJson(await knowingResults({ calls }, () => runReport(report)));
  else printSummary(report);
  return exitCodeOf(status);
}
