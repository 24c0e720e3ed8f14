import { describe, expect, it } from "vitest";
import type { OracleExperiment } from "../../../eval/oracle/oracleExperiments.js";
import { oracleFigures } from "../../../eval/oracle/oracleFigures.js";
import { oracleReport } from "../../../eval/oracle/oracleReport.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { NOTHING_USED } from "../../../state/state.js";
import { recordOf } from "../runs/support.js";
import { goldTask, SUM } from "./support.js";

const SHORT = { ...goldTask({ steps: [{ tool: "now", args: {} }] }) };
const GOLD = [SUM, { ...SHORT, task: { ...SHORT.task, id: "short" } }];

function experiment(part: OracleExperiment["part"]): OracleExperiment {
  const definition = { graphs: ["cot_tulip", "tulip"] };
  const benchmark = { argumentRule: "equal" };
  const prepared = { definition, benchmark } as unknown as OracleExperiment["prepared"];
  return { part, benchmark: "set", tools: 1000, name: part, prepared, toolDelayMs: 0, gold: GOLD };
}

function runOf(task: string, graph: string, changes: Partial<RunRecord> = {}): RunRecord {
  const calls = [{ id: "1", tool: "now", args: {}, result: 1 }] as unknown as RunRecord["calls"];
  return recordOf(`${task} | ${graph} | 1`, { task, graph, calls, ...changes });
}

function used(modelCalls: number, inputTokens: number): Pick<RunRecord, "usage"> {
  return { usage: { ...NOTHING_USED, modelCalls, inputTokens } };
}

const RECORDS = [
  runOf("short", "cot_tulip", { error: "no network" }),
  runOf("short", "cot_tulip", used(4, 1000)),
  runOf("task", "cot_tulip", { ...used(6, 3000), wallMs: 4000 }),
  runOf("short", "tulip", used(1, 500)),
  runOf("task", "tulip", { ...used(1, 900), wallMs: 1000 }),
];

const FIGURES = oracleFigures([
  { experiment: experiment("main"), records: RECORDS },
  { experiment: experiment("growth"), records: [] },
]);

describe("the comparison with the oracle", () => {
  it("averages over the latest attempt of each run, and separately over long plans", () => {
    const [main] = FIGURES.experiments;
    expect(main?.graphs).toMatchObject([
      {
        graph: "cot_tulip",
        runs: 2,
        success: 0.5,
        modelCalls: 5,
        inputTokens: 2000,
        inputTokensOfSuccesses: 1000,
      },
      { graph: "tulip", runs: 2, success: 0.5, modelCalls: 1, inputTokens: 700 },
    ]);
    expect(main?.long).toMatchObject([
      { graph: "cot_tulip", runs: 1, success: 0, inputTokens: 3000 },
      { graph: "tulip", runs: 1, success: 0, inputTokens: 900 },
    ]);
  });

  it("compares graphs with the baseline on tasks on which both succeed", () => {
    const [baseline, graph] = FIGURES.experiments[0]?.graphs ?? [];
    expect(baseline?.ofBaseline).toEqual({ tasks: 1, inputTokens: 1, wallMs: 1 });
    expect(graph?.ofBaseline).toEqual({ tasks: 1, inputTokens: 0.5, wallMs: 1 });
  });

  it("names the tasks that failed, with the reason", () => {
    expect(FIGURES.experiments[0]?.failures).toEqual([
      { graph: "cot_tulip", failure: "left out gold calls", tasks: ["task"] },
      { graph: "tulip", failure: "left out gold calls", tasks: ["task"] },
    ]);
  });

  it("is written with the share of the baseline's tokens, without parts that were not run", () => {
    const text = oracleReport({ figures: FIGURES, command: "tulipgraph eval oracle" });
    expect(text).toContain("| set (1,000 tools) | tulip | 2 | 50.0 | 1.00 | 700 | 500 |");
    expect(text).toContain("| set (1,000 tools) | tulip | 1 | 0.0 | 1.00 | 900 | – | – | 0 |");
    expect(text).not.toContain("## Wall time");
    expect(text).toContain("left out gold calls");
  });
});
