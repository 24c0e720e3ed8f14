import { describe, expect, it } from "vitest";
import { levelBars } from "../../../../eval/report/charts/levelBars.js";
import { drawChart, drawResponsive } from "../../../../eval/report/charts/render.js";
import { scatter, scatterPoints } from "../../../../eval/report/charts/scatter.js";
import { stageBars, stageColours } from "../../../../eval/report/charts/stageBars.js";
import { fitText } from "../../../../eval/report/charts/theme.js";
import { type Markup, markupText } from "../../../../eval/report/markup.js";
import { costScore, findScore, type ScoreInfo } from "../../../../eval/report/scores.js";
import type { Summary } from "../../../../eval/summary/summary.js";
import { syntheticSummary } from "../fixture.js";
import { HOSTILE } from "../fixtureRuns.js";

describe("charts", () => {
  it("have alternative texts", async () => {
    const summary = syntheticSummary({ graphs: ["base"] });
    const score = scoreOf(summary, "answerNumeric");
    const svg = markupText(await drawChart(levelBars({ summary, score, level: "easy" })));
    expect(svg).toMatch(/^<svg role="img" aria-labelledby="bars-answerNumeric-1-title bars-answer/);
    expect(svg).toContain('<title id="bars-answerNumeric-1-title">Answer (numeric), easy</title>');
    expect(svg).toMatch(/<desc id="[^"]+">base 0\.\d\d \(0\.\d\d to 0\.\d\d\)<\/desc>/);
  });

  it("use the page's colours and fonts", async () => {
    const svg = await allDrawings(syntheticSummary());
    const colours = [...svg.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour);
    const own = colours.filter(
      (colour) => !/^(none|currentColor|transparent|var\(--[a-z0-9-]+\))$/.test(colour ?? ""),
    );
    expect(new Set(own)).toEqual(new Set());
    expect(svg).not.toMatch(/font-family="(?!inherit)/);
  });

  it("show names as text, whatever they contain", async () => {
    const svg = await allDrawings(syntheticSummary({ graphs: [HOSTILE, "base"] }));
    expect(svg).toContain("&lt;");
    expect(svg).not.toContain("<img");
    expect(svg).not.toContain("</script");
  });

  it("distinguish graphs whose cut labels are equal", async () => {
    const graphs = ["one", "two"].map((end) => `${"a".repeat(80)}${end}${"b".repeat(80)}`);
    const summary = syntheticSummary({ graphs, repetitions: 1 });
    const score = scoreOf(summary, "answerNumeric");
    const svg = markupText(await drawChart(levelBars({ summary, score, level: "all" })));
    expect(svg.match(/fill="var\(--accent\)"/g)).toHaveLength(2);
  });

  it("cut names in the middle, since their ends differ", () => {
    expect(fitText("model=openai:gpt-4.1-mini", 90)).toBe("model=o…1-mini");
    expect(fitText("base", 90)).toBe("base");
  });

  it("give the stages one colour each, in the order in which graphs pass them", () => {
    expect(stageColours(syntheticSummary()).map(({ stage }) => stage)).toEqual([
      "decompose",
      "phraseSearch",
      "act",
    ]);
  });
});

describe("the scatter of correctness against cost", () => {
  it("uses dollars if all are known, else tokens", () => {
    expect(costScore(syntheticSummary({ dollars: true }))?.id).toBe("usd");
    expect(costScore(syntheticSummary({ dollars: false }))?.id).toBe("totalTokens");
  });

  it("uses tokens if nothing was paid, so that points differ", () => {
    const summary = syntheticSummary({ dollars: true });
    for (const { aggregates } of summary.rows)
      aggregates["usd"] = {
        mean: 0,
        sdOverRuns: 0,
        interquartileMean: 0,
        low: 0,
        high: 0,
        runs: 15,
      };
    expect(costScore(summary)?.id).toBe("totalTokens");
  });

  it("has one point for each graph and setting", () => {
    const summary = syntheticSummary({
      graphs: ["base", "cot_tool"],
      variants: ["topK=1", "topK=5"],
    });
    const [score, cost] = [scoreOf(summary, "answerNumeric"), scoreOf(summary, "usd")];
    expect(scatterPoints({ summary, score, cost }).map(({ name }) => name)).toEqual([
      "base · topK=1",
      "base · topK=5",
      "cot_tool · topK=1",
      "cot_tool · topK=5",
    ]);
  });
});

async function allDrawings(summary: Summary): Promise<string> {
  const [score, cost] = [scoreOf(summary, "answerNumeric"), scoreOf(summary, "usd")];
  const points = scatterPoints({ summary, score, cost });
  const drawings: Markup[] = await Promise.all([
    drawChart(levelBars({ summary, score, level: "all" })),
    drawResponsive((width) => scatter({ points, score, cost, width })),
    drawResponsive((width) => stageBars(summary, width)),
  ]);
  return drawings.map(markupText).join("\n");
}

function scoreOf(summary: Summary, id: string): ScoreInfo {
  const found = findScore(summary, id);
  if (!found) throw new Error(`the fixture has no score ${id}`);
  return found;
}
