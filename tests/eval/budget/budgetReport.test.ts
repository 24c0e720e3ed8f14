import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { budgetCharts } from "../../../eval/budget/charts.js";
import { budgetReport, writeBudgetReport } from "../../../eval/budget/budgetReport.js";
import { temporaryFolder } from "../runs/support.js";
import { figuresOf, reportRun, wholeReport } from "./support.js";

function textOf(runs = wholeReport()): string {
  const figures = figuresOf(runs);
  const charts = budgetCharts(figures);
  return budgetReport({ figures, charts, command: "tulipgraph eval budget --out DIR" });
}

describe("the report on budgets", () => {
  it("has a row for each graph with intervals, beside the published averages", () => {
    const text = textOf();
    expect(text).toContain(
      "| ReAct | react | 50.0 (0.0 to 100.0) | 50.0 (0.0 to 100.0) | 15.0 (6.0 to 24.0) | 50.0 (0.0 to 100.0) | 1.5 (1.0 to 2.0) |",
    );
    expect(text).toContain(
      "| DFSDT | *published (arXiv:2402.15960)* | *–* | *64.5* | *9.2* | *0.0* | *–* |",
    );
    expect(text).toContain("| upper limit | oracle | 90.0 | 90.0 | 7.0 | 0.0 | 2.0 |");
    expect(text).toContain("| *published (arXiv:2402.15960)* | *–* | *13.9* | *–* | *2.9* | *–* |");
  });

  it("has a column for each budget and each threshold", () => {
    const text = textOf();
    expect(text).toContain("| Graph | R = 5 | R = 10 | R = 20 | R = 30 | R = 40 | R = 60 |");
    expect(text).toContain("| dfsdt | 0.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 |");
    expect(text).toContain("| oracle | 50.0 | 90.0 | 90.0 | 90.0 | 90.0 | 90.0 |");
    expect(text).toContain("| Graph | τ = 0 | τ = 0.1 | τ = 0.15 | τ = 0.2 | τ = 0.3 | τ = 0.4 |");
  });

  it("shows which figures are unknown", () => {
    expect(textOf()).toContain("| react_btp | – | – | 100.0 | – | – | – |");
  });

  it("begins with runs that exceeded a budget or broke off, if there are any", () => {
    const over = reportRun({ graph: "react_btp", costs: [21] });
    const text = textOf([over]);
    expect(text).toContain(
      "> **1 run went over a budget that holds in the graph:** t1 \\| react_btp \\| \\| 1",
    );
    expect(textOf([reportRun({})])).not.toContain("> **");
  });

  it("is written with self-contained charts", async () => {
    const folder = temporaryFolder();
    const figures = figuresOf(wholeReport());
    const files = await writeBudgetReport({ folder, figures, command: "c" });
    expect(files.map((file) => file.slice(folder.length + 1))).toEqual([
      "report.md",
      "images/budget-sweep.svg",
      "images/budget-threshold.svg",
      "images/budget-cost.svg",
    ]);
    const text = readFileSync(join(folder, "report.md"), "utf8");
    for (const [, image = ""] of text.matchAll(/\]\((images\/.*?)\)/g)) {
      const svg = readFileSync(join(folder, image), "utf8");
      // The whole file would hide the failure.
      expect([svg.slice(0, 5), svg.includes("var(--"), svg.includes("NaN")]).toEqual([
        "<svg ",
        false,
        false,
      ]);
    }
  });
});
