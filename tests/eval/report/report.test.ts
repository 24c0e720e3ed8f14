import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { comparisonHtml, comparisonMarkdown } from "../../../eval/report/comparison.js";
import { reportHtml } from "../../../eval/report/html.js";
import { reportMarkdown } from "../../../eval/report/markdown.js";
import { comparison } from "../../../eval/summary/compare.js";
import { syntheticSummary } from "./fixture.js";

describe("the HTML report", () => {
  let html = "";
  beforeAll(async () => {
    html = await reportHtml(syntheticSummary());
  });

  it("needs nothing but itself", () => {
    expect(html).not.toMatch(/\b(src|href)="(?!#)/);
    expect(html).not.toMatch(/url\(|@import|<link|<iframe|<img/);
    expect(html).toContain("default-src 'none'");
  });

  it("allows its own script, by hash, and no other", () => {
    const script = /<script>([^]*?)<\/script>/.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(script).digest("base64");
    expect(script.length).toBeGreaterThan(1000);
    expect(html).toContain(`script-src &#39;sha256-${hash}&#39;`);
  });

  it("has the sections of a report, in order, and a link to each", () => {
    const headings = [...html.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(headings).toEqual([
      ...["results", "cost", "levels", "stages", "recall"],
      ...["tests", "libraries", "runs", "run-title", "definitions"].filter(
        (id) => id !== "run-title" || headings.includes(id),
      ),
    ]);
    for (const id of headings.filter((id) => id !== "run-title"))
      expect(html).toContain(`<a href="#${id}">`);
  });

  it("warns of the offline planner and of runs that are missing", () => {
    expect(html).toContain("Figures of the offline planner, which is no language model");
    expect(html).toContain("4 planned runs have no result yet");
  });

  it("holds each id once", () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it("says nothing of the offline planner where a model ran", async () => {
    const summary = { ...syntheticSummary({ offline: false, graphs: ["base"] }), missing: 0 };
    const plain = await reportHtml(summary);
    expect(plain).not.toContain("offline planner");
    expect(plain).not.toContain("no result yet");
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
    expect(await reportHtml(empty)).toContain('<h2 id="runs">');
  });
});

describe("the Markdown report", () => {
  it("has the same tables and warnings, and no HTML", () => {
    const text = reportMarkdown(syntheticSummary());
    expect(text.match(/^#+ .*/gm)).toEqual([
      "# Synthetic experiment",
      "## Results",
      "## Further scores",
      "## Tokens by stage",
      "## Paired tests",
      "## Embedding of libraries",
      "## Definitions",
    ]);
    expect(text).toContain("> **Figures of the offline planner");
    expect(text).toContain("*published: gpt-3.5-turbo-0125*");
    expect(text).not.toMatch(/<[a-z]/i);
  });

  it("has as many cells in every line of a table as in its head", () => {
    for (const table of reportMarkdown(syntheticSummary()).split("\n\n"))
      if (table.startsWith("|"))
        expect(new Set(table.split("\n").map((line) => line.split(/(?<!\\)\|/).length)).size).toBe(
          1,
        );
  });
});

describe("the comparison of two experiments", () => {
  const compared = comparison({
    a: syntheticSummary({ graphs: ["base", "cot_tool"] }),
    b: syntheticSummary({ graphs: ["base", "cot_tulip"], luck: 3, tasksPerLevel: 4 }),
  });

  it("tells which tasks and graphs only one of them has", () => {
    const text = comparisonMarkdown(compared);
    expect(text).toContain("Only A has these tasks: easy.004, medium.004, hard.004.");
    expect(text).toContain("Only A has these graphs and settings: cot_tool.");
    expect(text).toContain("Only B has these graphs and settings: cot_tulip.");
  });

  it("shows both means, the difference and the verdict for each score", () => {
    const lines = comparisonMarkdown(compared).split("\n");
    const [row] = lines.filter((line) => line.startsWith("| Answer (numeric) | base"));
    expect(row).toMatch(
      /\| 0\.\d\d \| 0\.\d\d \| [+−]?0\.\d\d \(.* to .*\) \| .* \| within noise \|$/,
    );
  });

  it("lists the tasks that changed and leaves out those that did not", () => {
    const text = comparisonMarkdown(compared);
    const changes = compared.scores.find(({ score }) => score === "answerNumeric")?.changes ?? [];
    const shown = [...text.matchAll(/^\| ((?:easy|medium|hard)\.\d+) \|/gm)].map(
      ([, task]) => task,
    );
    expect(shown).toEqual(changes.flatMap(({ task, change }) => (change === "same" ? [] : [task])));
  });

  it("is one HTML file that runs no script at all", async () => {
    const html = await comparisonHtml(compared);
    expect(html).toContain("script-src &#39;none&#39;");
    expect(html).not.toContain("<script");
    expect(html).toContain('<desc id="differences-answerNumeric-wide-desc">base');
  });
});
