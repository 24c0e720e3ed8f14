import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BudgetFigures } from "../../../eval/budget/budgetFigures.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { readResults } from "../../../eval/runs/experimentFolder.js";
// Registers embeddings that take no time.
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";

function argvOf(out: string, ...more: string[]): string[] {
  const size = ["--queries", "1", "--sweep-queries", "1", "--jobs", "1"];
  return [
    "eval",
    "budget",
    "--out",
    out,
    ...size,
    "--embeddings",
    TEST_LIBRARY.embeddings,
    ...more,
  ];
}

/** The runs of an experiment of the report. */
function recordsIn(out: string, name: string): RunRecord[] {
  return readResults(join(out, name)).records;
}

describe("eval budget", () => {
  it("makes all runs once, writes the report, and fails if an enforced budget is overspent", async () => {
    const out = join(temporaryFolder(), "budget");
    const { code, json } = await runJson(...argvOf(out));
    const { main, budgets, overspent, brokenOff } = json as BudgetFigures;
    expect({ code, overspent, brokenOff }).toEqual({ code: 0, overspent: [], brokenOff: [] });
    expect(main.map(({ requests }) => requests)).toEqual(main.map(() => 1));
    expect(budgets.map(({ requests }) => requests)).toEqual(budgets.map(() => 1));
    const experiments = ["main", "budgets", "thresholds"];
    expect(experiments.map((name) => recordsIn(out, name).length)).toEqual([13, 50, 35]);
    expect(existsSync(join(out, "images", "budget-sweep.svg"))).toBe(true);

    const text = readFileSync(join(out, "report.md"), "utf8");
    const again = await run(...argvOf(out));
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^react_replan +\d/m);
    expect(experiments.map((name) => recordsIn(out, name).length)).toEqual([13, 50, 35]);
    expect(readFileSync(join(out, "report.md"), "utf8")).toBe(text);

    overspend(join(out, "budgets", "runs.jsonl"), "dfsdt_btp");
    const spent = await run(...argvOf(out));
    expect(spent.code).toBe(1);
    expect(spent.stderr).toMatch(/^over its budget: priced-\d+ \| dfsdt_btp \| budget=5 \| 1$/m);
  }, 900_000);

  it("takes no more requests for the sweeps than for the main comparison", async () => {
    const out = join(temporaryFolder(), "budget");
    const printed = await run(...argvOf(out, "--sweep-queries", "2"));
    expect(errorLine(printed)).toMatch(/--sweep-queries: 2 is more than the 1 requests/);
    expect(existsSync(out)).toBe(false);
  });
});

/** Makes the calls of a graph's first run more expensive than its budget. */
function overspend(file: string, graph: string): void {
  const records = linesOf(file).map((line) => JSON.parse(line) as RunRecord);
  const dear = { id: "c", tool: "dear", args: {}, ms: 1, cost: 99 };
  const chosen = records.find((record) => record.graph === graph && record.settings.budget === 5);
  const changed = records.map((record) =>
    record === chosen ? { ...record, calls: [dear] } : record,
  );
  writeFileSync(file, changed.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
