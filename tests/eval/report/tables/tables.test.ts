import { describe, expect, it } from "vitest";
import { markupText } from "../../../../eval/report/markup.js";
import { publishedFigures } from "../../../../eval/report/publishedResults.js";
import { librariesTable, testsTable } from "../../../../eval/report/tables/detailTables.js";
import { tableHtml } from "../../../../eval/report/tables/renderHtml.js";
import { escapeMarkdown, tableMarkdown } from "../../../../eval/report/tables/renderMarkdown.js";
import { furtherTable, mainTable } from "../../../../eval/report/tables/scoreTables.js";
import { cell, type Table } from "../../../../eval/report/tables/table.js";
import { syntheticSummary } from "../fixture.js";

describe("the main table", () => {
  it("has a group for each level and one for all tasks", () => {
    const { groups } = mainTable(syntheticSummary());
    expect(groups.map(({ heading }) => heading)).toEqual([
      "easy · 5 tasks",
      "medium · 5 tasks",
      "hard · 5 tasks",
      "all tasks · 15 tasks",
    ]);
  });

  it("shows only all tasks where there is one level", () => {
    expect(mainTable(syntheticSummary({ levels: ["only"] })).groups).toHaveLength(1);
  });

  it("has the scores that apply, in the order of the paper, and leaves the others to another table", () => {
    const summary = syntheticSummary();
    expect(mainTable(summary).columns.map(({ label }) => label)).toEqual([
      "Graph",
      "Answer (published)",
      "Answer (numeric)",
      "Tool precision",
      "Tool recall",
      "Tool F1",
      "Dollars",
      "Tokens",
    ]);
    expect(furtherTable(summary)?.columns.map(({ label }) => label)).toEqual([
      "Graph",
      "Solved",
      "Search recall",
      "Model calls",
      "Wall time",
    ]);
  });

  it("sets published figures below ours, under the published judge and the cost", () => {
    const rows = mainTable(syntheticSummary({ graphs: ["cot_tool"] })).groups[0]?.rows ?? [];
    expect(rows.map(({ published }) => published ?? false)).toEqual([false, true, true]);
    expect(rows.slice(1).map(({ cells }) => cells.map(({ text }) => text).join("|"))).toEqual([
      "published: gpt-3.5-turbo-0125|0.84||||||",
      "published: gpt-4-turbo|0.97|||||$0.0990|",
    ]);
  });

  it("shows no deviation of repetitions where there is one run of a task", () => {
    const once = mainTable(syntheticSummary({ repetitions: 1 }));
    const often = mainTable(syntheticSummary({ repetitions: 3 }));
    expect(once.groups[0]?.rows[0]?.cells[1]?.text).toMatch(/^0\.\d\d$/);
    expect(often.groups[0]?.rows[0]?.cells[1]?.text).toMatch(/^0\.\d\d ± 0\.\d\d$/);
  });
});

describe("published figures", () => {
  it("belong to one benchmark, its levels and the graphs that the paper names", () => {
    const place = { benchmark: "tulip_math", graph: "primed_cot_tulip", level: "hard" };
    expect(publishedFigures(place)).toEqual([
      { model: "gpt-3.5-turbo-0125", correctness: 0.55, usd: undefined },
    ]);
    expect(publishedFigures({ ...place, benchmark: "math" })).toEqual([]);
    expect(publishedFigures({ ...place, level: "all" })).toEqual([]);
    expect(publishedFigures({ ...place, graph: "naive_tool" })).toEqual([]);
  });
});

describe("the table of libraries", () => {
  it("says that a price is unknown, and spreads tokens over the runs served", () => {
    const summary = syntheticSummary({ graphs: ["base"], repetitions: 1 });
    const [row] = librariesTable(summary)?.groups[0]?.rows ?? [];
    expect(row?.cells.map(({ text }) => text).join(" | ")).toBe(
      "tulip_math | local:sentence-encoder | 100 | 8,120 | price unknown | 15 | 541 | –",
    );
  });
});

describe("the table of tests", () => {
  it("is absent where nothing was compared", () => {
    expect(testsTable(syntheticSummary({ graphs: ["base"] }))).toBeUndefined();
  });
});

describe("a table", () => {
  const table: Table = {
    caption: "Two groups",
    grouping: "Level",
    columns: [
      { label: "Graph", numeric: false },
      { label: "Score", numeric: true, note: "higher is better" },
    ],
    groups: [
      { heading: "easy", rows: [{ cells: [cell("a|b"), cell("0.50", "0.40–0.60")] }] },
      { heading: "hard", rows: [{ published: true, cells: [cell("paper"), cell("0.70")] }] },
    ],
  };

  it("is Markdown with the groups as a column and published figures in italics", () => {
    expect(tableMarkdown(table).split("\n")).toEqual([
      "| Level | Graph | Score (higher is better) |",
      "| --- | --- | ---: |",
      String.raw`| easy | a\|b | 0.50 (0.40–0.60) |`,
      "| hard | *paper* | *0.70* |",
    ]);
  });

  it("is HTML whose headers say what they are headers of", () => {
    const text = markupText(tableHtml(table));
    expect(text).toContain('role="region" tabindex="0" aria-label="Two groups"');
    expect(text).toContain('<th scope="rowgroup" colspan="2">easy</th>');
    expect(text).toContain('<th scope="row" class="text">a|b</th>');
    expect(text).toContain('<tr class="published">');
  });
});

describe("text in Markdown", () => {
  it("stays on its line and is shown as it is", () => {
    expect(escapeMarkdown("a_b *c*\n<img> _d_ | `e`")).toBe(
      String.raw`a_b \*c\* &lt;img&gt; \_d\_ \| ${"\\`e\\`"}`,
    );
  });
});
