import { describe, expect, it } from "vitest";
import { reportMarkdown } from "../../../../eval/report/markdown.js";
import { experimentReport } from "../../../../eval/report/experimentReport.js";
import { reportHtml } from "../../../../eval/report/html.js";
import { planningNote, planningTable } from "../../../../eval/report/tables/planningTable.js";
import { furtherTable } from "../../../../eval/report/tables/scoreTables.js";
import { summarizeRuns } from "../../../../eval/summary/summarizeRuns.js";
import type { Summary } from "../../../../eval/summary/summary.js";
import { callOf, runOf, taskOf } from "../../scorers/support.js";

/** Two graphs on one task in each of two levels: one makes the gold call, the other also a needless one. */
function planningSummary(options: { name?: string; hasGold?: boolean } = {}): Summary {
  const { name = "made_up", hasGold = true } = options;
  const tasks = ["easy", "hard"].map((level) =>
    taskOf({ id: level, level, ...(hasGold ? { calls: [{ tool: "add", args: { a: 2 } }] } : {}) }),
  );
  const records = tasks.flatMap(({ id: task }) => [
    runOf({ task, graph: "exact", calls: [callOf("add", { a: 2 })] }),
    runOf({ task, graph: "careless", calls: [callOf("add", { a: 2 }), callOf("add")] }),
  ]);
  return summarizeRuns({
    name,
    benchmark: { name, source: "made up", hash: "made up", argumentRule: "equal", tools: 1 },
    tasks,
    records,
    planned: records.length,
    libraries: [],
    facts: [],
  });
}

describe("the table of plans", () => {
  it("has the columns of the report, those that apply", () => {
    const table = planningTable(planningSummary());
    expect(table?.columns.map(({ label }) => label)).toStrictEqual([
      "Graph",
      "IR",
      "NR",
      "MR",
      "BLEU",
      "ROUGE-L",
      "Correct path",
      "API calls",
      "Tokens",
    ]);
  });

  it("has a row for each graph at each level", () => {
    const { groups = [] } = planningTable(planningSummary()) ?? {};
    expect(groups.map(({ heading }) => heading)).toStrictEqual([
      "easy · 1 task",
      "hard · 1 task",
      "all tasks · 2 tasks",
    ]);
    const rows = groups.at(-1)?.rows.map(({ cells }) => cells.slice(0, 4).map(({ text }) => text));
    expect(rows).toStrictEqual([
      ["exact", "0.00", "1.00", "0.00"],
      ["careless", "0.50", "0.50", "0.00"],
    ]);
  });

  it("has figures for a graph that only plans", () => {
    const calls = [{ tool: "add", args: { a: 2 } }];
    const steps = [...calls, { tool: "sum", args: { of: { $prev: 0, path: [] } } }];
    const plan = { steps, answer: "" };
    const task = taskOf({ calls: [...calls, { tool: "sum", args: { of: 3 } }], plan });
    const planned = { ...plan, issues: [], left: "" };
    const name = "made_up";
    const table = planningTable(
      summarizeRuns({
        name,
        benchmark: { name, source: name, hash: name, argumentRule: "equal", tools: 2 },
        tasks: [task],
        records: [runOf({ graph: "planner", plan: planned })],
        planned: 1,
        libraries: [],
        facts: [],
      }),
    );
    const [row] = table?.groups.flatMap(({ rows }) => rows) ?? [];
    const figures = row?.cells.slice(0, 7).map(({ text }) => text);
    expect(figures).toEqual(["planner", "0.00", "1.00", "0.00", "1.00", "1.00", "1.00"]);
    expect(table && planningNote(table)).toContain("carries nothing out");
  });

  it("is left out if no gold calls are known", async () => {
    const summary = planningSummary({ hasGold: false });
    expect(planningTable(summary)).toBeUndefined();
    const report = await experimentReport(summary);
    expect(report.sections.map(({ id }) => id)).not.toContain("plans");
  });

  it("stands in both reports, and its scores are not repeated among the further ones", async () => {
    const summary = planningSummary();
    const report = await experimentReport(summary);
    expect(reportMarkdown(report)).toContain("## Plans");
    expect(reportHtml(report)).toContain('<h2 id="plans"');
    const further = furtherTable(summary)?.columns.map(({ label }) => label) ?? [];
    expect(further).toContain("Says solved");
    expect(further).not.toContain("BLEU");
  });

  it("has the published figures only for work items, below all tasks, and names their source", () => {
    const own = planningTable(planningSummary());
    expect(own?.groups.flatMap(({ rows }) => rows.filter(({ published }) => published))).toEqual(
      [],
    );
    const table = planningTable(planningSummary({ name: "work" }));
    if (!table) throw new Error("there is no table");
    const published = table.groups.map(({ rows }) =>
      rows.filter(({ published }) => published).map(({ cells }) => cells.map(({ text }) => text)),
    );
    expect(published).toStrictEqual([
      [],
      [],
      [
        ["published: RAP, gpt-4", "0.019", "0.971", "0.057", "0.968", "0.895", "", "", ""],
        [
          "published: main solution, gpt-3.5",
          "0.036",
          "0.964",
          "0.195",
          "0.923",
          "0.774",
          "",
          "",
          "",
        ],
        [
          "published: alternate solution, openchat",
          "0.305",
          "0.695",
          "0.345",
          "0.629",
          "0.552",
          "",
          "",
          "",
        ],
      ],
    ]);
    expect(planningNote(table)).toContain("for tendency only");
  });
});
