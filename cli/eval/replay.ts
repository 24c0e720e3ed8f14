import { type ComparedRun, compareRuns } from "../../eval/replay/compareRuns.js";
import { renamedText, replayFinding } from "../../eval/replay/replayReport.js";
import { callText, replayRows, VERDICTS } from "../../eval/replay/replaySummary.js";
import type { Results } from "../../eval/runs/experimentFolder.js";
import { oneLine } from "../../common/errors.js";
import { printJson, printTable, printHanging, shorten, widthBeside } from "../printing/print.js";

/**
 * Prints what a replay did beside what was recorded.
 *
 * @returns whether every run ended as recorded, with the same writes
 */
export async function printReplay(results: Results, json?: boolean): Promise<boolean> {
  const runs = await compareRuns(results);
  const rows = replayRows(runs);
  if (json) printJson({ rows, runs });
  else {
    const { renamed = {} } = results.experiment.definition.replay ?? {};
    process.stdout.write(`${replayFinding(runs)}\n`);
    if (Object.keys(renamed).length > 0)
      process.stdout.write(`Renamed parameters count as the same: ${renamedText(renamed)}\n`);
    process.stdout.write("\n");
    printRows(rows);
    for (const run of runs.filter(({ verdict }) => verdict !== "same")) printRun(run);
  }
  return runs.every(({ verdict }) => verdict === "same" || verdict === "otherCalls");
}

function printRows(rows: ReturnType<typeof replayRows>): void {
  const isVaried = rows.some(({ variant }) => variant !== "");
  const head = ["graph", ...(isVaried ? ["variant"] : []), "runs", ...Object.values(VERDICTS)];
  const calls = ["answered", "never recorded", "made"];
  const costs = ["model calls", "tokens", "dollars"];
  printTable({
    keys: 1,
    rows: [
      [...head, ...calls, ...costs],
      ...rows.map(({ graph, variant, runs, verdicts, answered, unrecorded, live, before, now }) => [
        graph,
        ...(isVaried ? [variant] : []),
        `${runs}`,
        ...Object.values(verdicts).map(String),
        ...[answered, unrecorded, live].map(String),
        `${before.modelCalls.toFixed(2)} → ${now.modelCalls.toFixed(2)}`,
        `${before.tokens.toFixed(0)} → ${now.tokens.toFixed(0)}`,
        `${dollars(before.usd)} → ${dollars(now.usd)}`,
      ]),
    ],
  });
}

function dollars(usd: number | null): string {
  return usd === null ? "unknown" : `$${usd.toFixed(4)}`;
}

/** A run that was not the same, side by side. */
function printRun({ task, graph, variant, request, verdict, failure, ...run }: ComparedRun): void {
  const { before, now, missing, further } = run;
  const title = [task, graph, variant, VERDICTS[verdict]].filter(Boolean).join(" · ");
  process.stdout.write(`\n${title}\n`);
  const lines: [string, string][] = [
    ["request", request],
    ...missing.map((call): [string, string] => ["only then", callText(call)]),
    ...further.map((call): [string, string] => ["only now", callText(call)]),
    ...(verdict === "different" || before.answer !== now.answer
      ? ([
          ["then", `${before.status}: ${before.answer}`],
          ["now", `${now.status}: ${failure ?? now.answer}`],
        ] satisfies [string, string][])
      : []),
  ];
  for (const [label, text] of lines) {
    const start = `  ${label.padEnd("only then".length)}  `;
    printHanging({
      label: start,
      text: shorten({ text: oneLine(text), width: widthBeside(start.length) }),
    });
  }
}
