import { InvalidArgumentError } from "commander";
import type { CommandForm } from "../command.js";
import { requireWritable, writeWhole } from "../../storage/files.js";
import {
  baselineGates,
  type Gate,
  requireKnown,
  type Threshold,
  thresholdGates,
} from "../../eval/report/gates.js";
import { junitXml } from "../../eval/report/junit.js";
import { readResults } from "../../eval/runs/experimentFolder.js";
import type { PreparedExperiment } from "../../eval/runs/prepare.js";
import { requireSameBenchmark } from "../../eval/summary/compare.js";
import { type Summary, summarizeRuns } from "../../eval/summary/summarizeRuns.js";

/** What decides whether an evaluation passes. */
export interface GateOptions {
  failUnder?: Threshold[];
  baseline?: string;
  junit?: string;
}

export const GATE_OPTIONS: CommandForm["options"] = {
  "--fail-under <graph:score=limit>": {
    text: "exit with 1 if a score is worse, such as tulip:answerNumeric=.9; repeatable",
    read: toThreshold,
  },
  "--baseline <folder>": "exit with 1 if a graph is worse than in these results",
  "--junit <file.xml>": "write runs and gates as JUnit XML",
};

/**
 * Reads and checks what the gates need, before anything is spent.
 *
 * @returns decides on the finished experiment, and writes the JUnit file
 */
export function openGates(
  { failUnder = [], baseline: folder, junit }: GateOptions,
  { definition: { benchmark, graphs }, tasks }: Pick<PreparedExperiment, "definition" | "tasks">,
): (summary: Summary, isDone: boolean) => Gate[] {
  requireKnown(failUnder, { graphs, tasks, world: benchmark.world });
  if (junit !== undefined) requireWritable(junit);
  const baseline = folder === undefined ? undefined : summarizeRuns(readResults(folder));
  if (baseline) requireSameBenchmark(baseline.benchmark, benchmark);
  return (summary, isDone) => {
    // Of a part of the runs, nothing is decided.
    const gates = isDone
      ? [
          ...thresholdGates(summary, failUnder),
          ...(baseline ? baselineGates(summary, baseline) : []),
        ]
      : [];
    if (junit !== undefined) writeWhole(junit, junitXml(summary, gates));
    return gates;
  };
}

export function gateLines(gates: readonly Gate[]): string[] {
  return gates.map(({ passed, finding }) => `${passed ? "passed" : "failed"}: ${finding}`);
}

/** `tulip:answerNumeric=.9` */
function toThreshold(text: string, before: Threshold[] = []): Threshold[] {
  const [, graph = "", score = "", figure = ""] = /^([^:=]+):([^:=]+)=(\S+)$/.exec(text) ?? [];
  const limit = Number(figure);
  if (figure === "" || !Number.isFinite(limit))
    throw new InvalidArgumentError("Write it as GRAPH:SCORE=NUMBER");
  return [...before, { graph, score, limit }];
}
