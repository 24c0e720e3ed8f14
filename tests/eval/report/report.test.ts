import { beforeAll, describe, expect, it } from "vitest";
import { comparisonReport } from "../../../eval/report/comparisonReport.js";
import { experimentReport } from "../../../eval/report/experimentReport.js";
import { reportHtml } from "../../../eval/report/html.js";
import { reportMarkdown } from "../../../eval/report/markdown.js";
import type { Report, Table } from "../../../eval/report/report.js";
import { furtherTables, mainTables, planningTables } from "../../../eval/report/scoreTables.js";
import { comparison } from "../../../eval/summary/compare.js";
import { runOf, taskOf } from "../scorers/support.js";
import { summaryOf } from "../summary/support.js";
import { syntheticSummary } from "./fixture.js";

const headings = (levels?: string[]) =>
  mainTables(syntheticSummary({ levels }))[0]?.groups.map(({ heading }) => heading);

const labels = (tables: Table[]) => tables.map(({ columns }) => columns.map(({ label }) => label));

describe("the HTML report", () => {
  let html = "";
  beforeAll(async () => {
    html = reportHtml(await experimentReport(syntheticSummary()));
  });

  it("is self-contained, and runs no script", () => {
    const references = html.match(
      /\b(?:src|href)="[^#][^"]*"|url\(|@import|<(?:link|iframe|img)\b/g,
    );
    expect(references).toBeNull();
    const head = html.slice(0, html.indexOf("<style>"));
    expect(head).toContain("default-src &#39;none&#39;");
    expect(head).toContain("script-src &#39;none&#39;");
    expect(html).not.toContain("<script");
  });

  it("has the sections of a report, in order, and a link to each", () => {
    const headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(headings.join(" ")).toBe(
      "cost levels results plans stages tests libraries runs definitions",
    );
    const links = [...html.matchAll(/<a href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links).toEqual(headings);
  });

  it("has tables whose headers say what they are headers of", () => {
    expect(html).toContain('role="region" tabindex="0" aria-label="What was right, by level');
    expect(html).toMatch(/<th role="rowheader" scope="rowgroup" colspan="\d">easy · 5 tasks</);
    expect(html).toContain('<th role="rowheader" scope="row" class="text">base</th>');
    // In a folded row, the figure stands under this name.
    expect(html).toContain('data-label="Tokens"');
  });

  it("warns of the offline planner and of runs that are missing", () => {
    const warnings = [...html.matchAll(/<p class="warning">([^<]+)</g)].map(([, text]) => text);
    expect(warnings[0]).toContain("Figures of the offline planner, which is not a language model");
    expect(warnings[1]).toContain("45 planned runs have no result yet");
  });

  it("holds each id once", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("can be written for an experiment without any run", async () => {
    const nothing = { rows: [], runs: [], tests: [], stages: [], libraries: [] };
    const { sections } = await experimentReport({ ...syntheticSummary(), ...nothing });
    expect(sections.map(({ id }) => id)).toEqual(["definitions"]);
  });
});

describe("the Markdown report", () => {
  let text = "";
  beforeAll(async () => {
    text = reportMarkdown(await experimentReport(syntheticSummary()));
  });

  it("has the same tables and warnings, and no HTML", () => {
    expect(text.match(/^#+ .*/gm)).toEqual([
      "# Synthetic experiment",
      "## Results",
      "## Plans",
      "## Tokens by stage",
      "## Paired tests",
      "## Embedding of libraries",
      "## Runs that were not right",
      "## Definitions",
    ]);
    expect(text).toContain("> **Figures of the offline planner");
    expect(text).toContain("price unknown");
    expect(text).not.toMatch(/<[a-z]/i);
  });

  it("has the groups of a table as a first column, and as many cells in every line", () => {
    const tables = text
      .trim()
      .split("\n\n")
      .filter((block) => block.startsWith("|"));
    const widths = tables.map(
      (table) => new Set(table.split("\n").map((line) => line.split(/(?<!\\)\|/).length)),
    );
    expect(widths.map(({ size }) => size)).toEqual(tables.map(() => 1));
    expect(tables[0]).toMatch(/^\| Level \| Graph \| .*\n\| --- \| --- \| ---: \|.*\n\| easy · 5/);
  });

  it("keeps text on its line and shows it as it is", () => {
    const title = "a_b *c*\n<img> _d_ | `e`";
    const report: Report = { title, finding: "", warnings: [], facts: [], sections: [] };
    expect(reportMarkdown(report).split("\n")[0]).toBe(
      String.raw`# a_b \*c\* &lt;img&gt; \_d\_ \| ${"\\`e\\`"}`,
    );
  });
});

describe("the tables of scores", () => {
  it("have the scores of one kind together, the judge by numbers before the published one", () => {
    const summary = syntheticSummary();
    const [right, tools, cost] = labels(mainTables(summary));
    expect(right).toEqual([
      "Graph",
      "Correct (numbers)",
      "Correct (published judge)",
      "Says solved",
    ]);
    expect(tools).toContain("Tool F1");
    expect(cost).toEqual(["Graph", "Cost", "Tokens"]);
    const further = labels(furtherTables(summary)).flat();
    expect(further).toContain("Tool calls");
    expect(further).not.toContain("BLEU");
  });

  it("have a group for each level and one for all tasks, which is alone if there is one level", () => {
    expect(headings()).toEqual([
      "easy · 5 tasks",
      "medium · 5 tasks",
      "hard · 5 tasks",
      "all tasks · 15 tasks",
    ]);
    expect(headings(["only"])).toEqual(["all tasks · 5 tasks"]);
  });

  it("leave out a row without a value", () => {
    const summary = syntheticSummary({ graphs: ["base", "cot_tool"], levels: ["only"] });
    for (const row of summary.rows) {
      const { usd } = row.aggregates;
      if (row.graph === "base" && usd) row.aggregates = { usd };
    }
    const graphs = mainTables(summary).map(({ groups }) =>
      groups[0]?.rows.map(([graph]) => graph?.text),
    );
    expect(graphs).toEqual([["cot_tool"], ["cot_tool"], ["base", "cot_tool"]]);
  });

  it("show a deviation only if tasks have several runs", () => {
    const shown = [1, 3].map((repetitions) => {
      return mainTables(syntheticSummary({ repetitions }))[0]?.groups[0]?.rows[0]?.[1]?.text;
    });
    expect(shown[0]).toMatch(/^0\.\d\d$/);
    expect(shown[1]).toMatch(/^0\.\d\d ± 0\.\d\d$/);
  });
});

describe("the table of plans", () => {
  it("has the columns of the report that apply, and figures for a graph that only plans", () => {
    const calls = [{ tool: "add", args: { a: 2 } }];
    const steps = [...calls, { tool: "sum", args: { of: { $prev: 0, path: [] } } }];
    const plan = { steps, answer: "" };
    const task = taskOf({ calls: [...calls, { tool: "sum", args: { of: 3 } }], plan });
    const summary = summaryOf({
      tasks: [task],
      records: [runOf({ graph: "planner", plan: { ...plan, issues: [] } })],
    });
    const tables = planningTables(summary);
    expect(labels(tables)[0]?.join(" ")).toBe(
      "Graph IR NR MR BLEU ROUGE-L Correct path API calls Tokens",
    );
    const figures = tables[0]?.groups[0]?.rows[0]?.slice(0, 7).map(({ text }) => text);
    expect(figures).toEqual(["planner", "0.00", "1.00", "0.00", "1.00", "1.00", "1.00"]);
  });
});

describe("the comparison of two experiments", () => {
  const compared = comparison({
    a: syntheticSummary({ graphs: ["base", "cot_tool"] }),
    b: syntheticSummary({ graphs: ["base", "cot_tulip"], right: 1, tasksPerLevel: 4 }),
  });
  const text = reportMarkdown(comparisonReport(compared));

  it("shows both means, the difference and the verdict for each score", () => {
    const [row] = text.split("\n").filter((line) => line.startsWith("| Correct (numbers) | base"));
    expect(row).toMatch(
      /\| \d\.\d\d \| \d\.\d\d \| .*\d\.\d\d \(.* to .*\) \| \S+ \| 12 \| \d+ \| \d+ \| [a-z ]+ \|$/,
    );
  });

  it("lists the tasks that changed and leaves out those that did not", () => {
    const changes = compared.scores.find(({ score }) => score === "answerNumeric")?.changes ?? [];
    const changed = changes.flatMap(({ task, change }) => (change === "same" ? [] : [task]));
    const [section = ""] = text.split("task by task").slice(1);
    const shown = [...section.matchAll(/^\| ((?:easy|medium|hard)\.\d+) \|/gm)];
    expect(changed.length).toBeGreaterThan(0);
    expect(shown.map(([, task]) => task)).toEqual(changed);
  });
});
