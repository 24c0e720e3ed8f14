import { beforeAll, describe, expect, it } from "vitest";
import { comparisonReport } from "../../../eval/report/comparison.js";
import { experimentReport } from "../../../eval/report/experimentReport.js";
import { reportHtml } from "../../../eval/report/html.js";
import { reportMarkdown } from "../../../eval/report/markdown.js";
import { comparison } from "../../../eval/summary/compare.js";
import { syntheticSummary } from "./fixture.js";

describe("the HTML report", () => {
  let html = "";
  let head = "";
  let headings: (string | undefined)[] = [];
  beforeAll(async () => {
    html = reportHtml(await experimentReport(syntheticSummary({ repetitions: 1 })));
    head = html.slice(0, html.indexOf("<style>"));
    headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
  });

  it("is self-contained", () => {
    const references = html.match(
      /\b(?:src|href)="[^#][^"]*"|url\(|@import|<(?:link|iframe|img)\b/g,
    );
    expect(references).toBeNull();
    expect(head).toContain("default-src &#39;none&#39;");
    expect(head).toContain("script-src &#39;none&#39;");
    expect(html).not.toContain("<script");
  });

  it("has the sections of a report, in order, and a link to each", () => {
    expect(headings.join(" ")).toBe(
      "results cost levels stages recall tests libraries runs definitions",
    );
    const links = [...html.matchAll(/<a href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links).toEqual(headings);
  });

  it("warns of the offline planner and of runs that are missing", () => {
    const warnings = [...html.matchAll(/<p class="warning">([^<]+)</g)].map(([, text]) => text);
    expect(warnings[0]).toContain("Figures of the offline planner, which is not a language model");
    expect(warnings[1]).toContain("4 planned runs have no result yet");
  });

  it("holds each id once", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("does not mention the offline planner if a model ran", async () => {
    const summary = { ...syntheticSummary({ offline: false, graphs: ["base"] }), missing: 0 };
    const plain = reportHtml(await experimentReport(summary));
    expect(plain.match(/offline planner|no result yet/g)).toBeNull();
  });

  it("can be written for an experiment without any run", async () => {
    const empty = {
      ...syntheticSummary(),
      rows: [],
      runs: [],
      tests: [],
      stages: [],
      libraries: [],
    };
    const html = reportHtml(await experimentReport(empty));
    expect(html.match(/<h2 id="(?:cost|levels|runs)"/g)).toBeNull();
  });
});

describe("the Markdown report", () => {
  it("has the same tables and warnings, and no HTML", async () => {
    const text = reportMarkdown(await experimentReport(syntheticSummary()));
    expect(text.match(/^#+ .*/gm)).toEqual([
      "# Synthetic experiment",
      "## Results",
      "## Tokens by stage",
      "## Paired tests",
      "## Embedding of libraries",
      "## Runs that were not right",
      "## Definitions",
    ]);
    expect(text).toContain("> **Figures of the offline planner");
    expect(text).toContain("*published: gpt-3.5-turbo-0125*");
    expect(text).not.toMatch(/<[a-z]/i);
  });

  it("has as many cells in every line of a table as in its head", async () => {
    const blocks = reportMarkdown(await experimentReport(syntheticSummary()))
      .trim()
      .split("\n\n");
    const tables = blocks.filter((block) => block.startsWith("|"));
    const widths = tables.map(
      (table) => new Set(table.split("\n").map((line) => line.split(/(?<!\\)\|/).length)),
    );
    expect(widths.map(({ size }) => size)).toEqual(tables.map(() => 1));
  });
});

describe("the comparison of two experiments", () => {
  const compared = comparison({
    a: syntheticSummary({ graphs: ["base", "cot_tool"] }),
    b: syntheticSummary({ graphs: ["base", "cot_tulip"], luck: 3, tasksPerLevel: 4 }),
  });

  it("tells which tasks and graphs only one of them has", async () => {
    const text = reportMarkdown(await comparisonReport(compared));
    expect(text).toContain("Only A has these tasks: easy.004, medium.004, hard.004.");
    expect(text).toContain("Only A has these graphs and settings: cot_tool.");
    expect(text).toContain("Only B has these graphs and settings: cot_tulip.");
  });

  it("shows both means, the difference and the verdict for each score", async () => {
    const lines = reportMarkdown(await comparisonReport(compared)).split("\n");
    const [row] = lines.filter((line) => line.startsWith("| Answer (numeric) | base"));
    expect(row).toMatch(
      /\| 0\.\d\d \| 0\.\d\d \| \+0\.\d\d \(.* to .*\) \| 0\.\d+ \| 12 \| 7 \| 0 \| better \|$/,
    );
  });

  it("lists the tasks that changed and leaves out those that did not", async () => {
    const text = reportMarkdown(await comparisonReport(compared));
    const changes = compared.scores.find(({ score }) => score === "answerNumeric")?.changes ?? [];
    const shown = [...text.matchAll(/^\| ((?:easy|medium|hard)\.\d+) \|/gm)].map(
      ([, task]) => task,
    );
    expect(shown).toEqual(changes.flatMap(({ task, change }) => (change === "same" ? [] : [task])));
  });

  it("is one HTML file that runs no script at all", async () => {
    const html = reportHtml(await comparisonReport(compared));
    expect(html.match(/<script|script-src &#39;none&#39;/g)).toEqual(["script-src &#39;none&#39;"]);
    expect(html.match(/<desc id="differences-answerNumeric-wide-desc">base/g)).toHaveLength(1);
  });
});
