import { describe, expect, it } from "vitest";
import { markupText } from "../../../../eval/report/markup.js";
import { publishedFigures } from "../../../../eval/report/publishedResults.js";
import { librariesTable, testsTable } from "../../../../eval/report/tables/detailTables.js";
import { tableHtml } from "../../../../eval/report/tables/tableHtml.js";
import { escapeMarkdown, tableMarkdown } from "../../../../eval/report/markdown.js";
import { furtherTable, mainTables } from "../../../../eval/report/tables/scoreTables.js";
import { cell, type Table } from "../../../../eval/report/tables/table.js";
import { syntheticSummary } from "../fixture.js";

const labels = (table?: Table) => table?.columns.map(({ label }) => label);

describe("the main tables", () => {
  it("have a group for each level and one for all tasks", () => {
    for (const { groups } of mainTables(syntheticSummary())) {
      expect(groups.map(({ heading }) => heading)).toEqual([
        "easy · 5 tasks",
        "medium · 5 tasks",
        "hard · 5 tasks",
        "all tasks · 15 tasks",
      ]);
    }
  });

  it("show only all tasks if there is one level", () => {
    expect(mainTables(syntheticSummary({ levels: ["only"] }))[0]?.groups).toHaveLength(1);
  });

  it("have the scores of one kind together, the judge by numbers before the published one", () => {
    const summary = syntheticSummary();
    expect(mainTables(summary).map(labels)).toEqual([
      ["Graph", "Answer (numeric)", "Answer (published)"],
      ["Graph", "Tool precision", "Tool recall", "Tool F1"],
      ["Graph", "Dollars", "Tokens"],
    ]);
    expect(labels(furtherTable(summary))).toEqual([
      "Graph",
      "Solved",
      "Search recall",
      "Model calls",
      "Wall time",
    ]);
  });

  it("set published figures below ours, under the published judge and the cost", () => {
    const tables = mainTables(syntheticSummary({ graphs: ["cot_tool"] }));
    const published = tables.map(({ groups }) =>
      (groups[0]?.rows ?? [])
        .filter((row) => row.published)
        .map(({ cells }) => cells.map(({ text }) => text).join("|")),
    );
    expect(published).toEqual([
      ["published: gpt-3.5-turbo-0125||0.84", "published: gpt-4-turbo||0.97"],
      [],
      ["published: gpt-4-turbo|$0.0990|"],
    ]);
  });

  it("leave out a row without a value", () => {
    const summary = syntheticSummary({ graphs: ["base", "cot_tool"], levels: ["only"] });
    const rows = summary.rows.map((row) =>
      row.graph === "base" ? { ...row, aggregates: { usd: row.aggregates["usd"] } } : row,
    ) as typeof summary.rows;
    const graphs = mainTables({ ...summary, rows }).map(({ groups }) =>
      groups[0]?.rows.filter(({ published }) => !published).map(({ cells }) => cells[0]?.text),
    );
    expect(graphs).toEqual([["cot_tool"], ["cot_tool"], ["base", "cot_tool"]]);
  });

  it("show no deviation if each task has one run", () => {
    const [once] = mainTables(syntheticSummary({ repetitions: 1 }));
    const [often] = mainTables(syntheticSummary({ repetitions: 3 }));
    expect(once?.groups[0]?.rows[0]?.cells[1]?.text).toMatch(/^0\.\d\d$/);
    expect(often?.groups[0]?.rows[0]?.cells[1]?.text).toMatch(/^0\.\d\d ± 0\.\d\d$/);
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
  it("is absent if nothing was compared", () => {
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
    expect(text).toContain('<th role="rowheader" scope="rowgroup" colspan="2">easy</th>');
    expect(text).toContain('<th role="rowheader" scope="row" class="text">a|b</th>');
    expect(text).toContain('<tr role="row" class="published">');
    // In a folded row, the figure stands under this name.
    expect(text).toContain('data-label="Score"');
  });
});

describe("text in Markdown", () => {
  it("stays on its line and is shown as it is", () => {
    expect(escapeMarkdown("a_b *c*\n<img> _d_ | `e`")).toBe(
      String.raw`a_b \*c\* &lt;img&gt; \_d\_ \| ${"\\`e\\`"}`,
    );
  });
});
