import { compareRuns } from "../../eval/replay/compareRuns.js";
import { replayReport, replayRows } from "../../eval/replay/replayReport.js";
import { reportMarkdown } from "../../eval/report/markdown.js";
import type { Results } from "../../eval/runs/experimentFolder.js";
import { printJson, printLine } from "../printing/print.js";

/** Prints what a replay did beside what was recorded, and says whether every run ended as recorded, with the same writes. */
export async function printReplay(results: Results, json?: boolean) {
  const runs = await compareRuns(results);
  const report = replayReport(results, runs);
  if (json) printJson({ rows: replayRows(runs), runs });
  else printLine(reportMarkdown(report));
  const isAlike = runs.every(({ verdict }) => verdict === "same" || verdict === "otherCalls");
  return { report, isAlike };
}
