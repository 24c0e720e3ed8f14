import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawChart, levelBars, stageBars } from "../../../eval/report/charts.js";
import {
  paretoFrontier,
  scatter,
  type ScatterPoint,
  scatterPoints,
} from "../../../eval/report/scatter.js";
import { costScore, findScore, type ScoreInfo } from "../../../eval/report/scores.js";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";
import { HOSTILE, syntheticSummary } from "./fixture.js";

describe("charts", () => {
  it("have alternative texts", async () => {
    const summary = syntheticSummary({ graphs: ["base"] });
    const score = scoreOf(summary, "answerNumeric");
    const svg = String(await drawChart(levelBars({ summary, score, level: "easy" })));
    expect(svg).toMatch(/^<svg role="img" aria-labelledby="bars-answerNumeric-1-title bars-answer/);
    expect(svg).toContain(`<title id="bars-answerNumeric-1-title">${score.label}, easy</title>`);
    expect(svg).toMatch(/<desc id="[^"]+">base 0\.\d\d \(0\.\d\d to \d\.\d\d\)<\/desc>/);
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

  it("have distinct ticks, however close the scores are", async () => {
    const summary = syntheticSummary();
    const [score, cost] = [scoreOf(summary, "answerNumeric"), scoreOf(summary, "totalTokens")];
    const points = [0.91, 0.92, 0.93].map((each, at) => {
      return { name: `${at}`, score: each, low: each, high: each, cost: 1000 + at };
    });
    const svg = String(await drawChart(scatter(points, score, cost)));
    const axes = svg.split('role-axis-label"').slice(1);
    expect(axes).toHaveLength(2);
    for (const axis of axes) {
      const labels = [...(axis.split("</g>")[0] ?? "").matchAll(/>([^<]+)<\/text>/g)].map(
        ([, text]) => text,
      );
      expect(labels.length).toBeGreaterThan(1);
      expect(new Set(labels).size).toBe(labels.length);
    }
  });

  it("show names as text, whatever they contain", async () => {
    const svg = await allDrawings(syntheticSummary({ graphs: [HOSTILE, "base"] }));
    expect(svg).toContain("&lt;");
    expect(svg).not.toContain("<img");
    expect(svg).not.toContain("</script");
  });
});

describe("the scatter of correctness against cost", () => {
  it.each([
    ["dollars if all are known", { dollars: true }, "usd"],
    ["else tokens", { dollars: false }, "totalTokens"],
  ])("uses %s", (_what, options, cost) => {
    expect(costScore(syntheticSummary(options))?.id).toBe(cost);
  });

  it("uses tokens if nothing was paid, so that points differ", () => {
    const summary = syntheticSummary();
    for (const { aggregates } of summary.rows) {
      if (aggregates["usd"]) aggregates["usd"] = { ...aggregates["usd"], mean: 0 };
    }
    expect(costScore(summary)?.id).toBe("totalTokens");
  });

  it("has one numbered point for each graph and setting", async () => {
    const summary = syntheticSummary({
      graphs: ["base", "cot_tool"],
      variants: ["topK=1", "topK=5"],
    });
    const points = pointsOf(summary);
    expect(points.map(({ name }) => name)).toEqual([
      "base · topK=1",
      "base · topK=5",
      "cot_tool · topK=1",
      "cot_tool · topK=5",
    ]);
    const svg = await allDrawings(summary);
    const numbers = [...svg.matchAll(/>([\d, ]+)<\/text>/g)].flatMap(([, all = ""]) =>
      all.split(", "),
    );
    expect(numbers).toEqual(expect.arrayContaining(["1", "2", "3", "4"]));
  });

  it("has one label for points that would hide each other's numbers", async () => {
    const summary = syntheticSummary();
    const [score, cost] = [scoreOf(summary, "answerNumeric"), scoreOf(summary, "totalTokens")];
    const places = [
      [100, 0.9],
      [20, 0.2],
      [101, 0.9],
      [60, 0.91],
    ] as const;
    const points = places.map(([paid, got], at) => {
      return { name: `${at}`, score: got, low: got, high: got, cost: paid };
    });
    const svg = String(await drawChart(scatter(points, score, cost)));
    const labels = [...svg.matchAll(/>([\d, ]*)<\/text>/g)].map(([, text]) => text);
    expect(labels.filter((text) => text !== "")).toEqual(
      expect.arrayContaining(["1, 3", "2", "4"]),
    );
    expect(labels).not.toContain("3");
  });
});

// Few values, so that ties are common.
const anyPoints = fc.array(
  fc.record({ cost: fc.integer({ min: 0, max: 6 }), score: fc.integer({ min: 0, max: 6 }) }),
  { maxLength: 25 },
);

describe("the efficient frontier", () => {
  it("keeps exactly the points that no other one dominates, in any order", () => {
    fc.assert(
      fc.property(anyPoints, (all) => {
        const frontier = paretoFrontier(all);
        for (const point of all) {
          const isBeaten = all.some(
            ({ cost, score }) =>
              cost <= point.cost &&
              score >= point.score &&
              (cost < point.cost || score > point.score),
          );
          expect(frontier.includes(point)).toBe(!isBeaten);
        }
        expect(paretoFrontier(all.toReversed())).toEqual(frontier);
        expect(frontier).toEqual(frontier.toSorted((a, b) => a.cost - b.cost));
      }),
    );
  });
});

async function allDrawings(summary: Summary): Promise<string> {
  const [score, cost] = [scoreOf(summary, "answerNumeric"), scoreOf(summary, "usd")];
  const charts = [
    levelBars({ summary, score, level: "all" }),
    scatter(pointsOf(summary), score, cost),
    stageBars(summary),
  ];
  return (await Promise.all(charts.map(drawChart))).map(String).join("\n");
}

function pointsOf(summary: Summary): ScatterPoint[] {
  return scatterPoints(summary, scoreOf(summary, "answerNumeric"), scoreOf(summary, "usd"));
}

function scoreOf(summary: Summary, id: string): ScoreInfo {
  const found = findScore(summary, id);
  if (!found) throw new Error(`the fixture has no score ${id}`);
  return found;
}
