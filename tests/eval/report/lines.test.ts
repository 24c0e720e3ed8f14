import { expect, it } from "vitest";
import { drawChart } from "../../../eval/report/charts.js";
import { lineChart, linePoints, numericSettings } from "../../../eval/report/lines.js";
import { findScore } from "../../../eval/report/scores.js";
import { syntheticSummary } from "./fixture.js";

const variants = [
  "budget=20 judge=rule",
  "budget=5 judge=rule",
  "budget=20 judge=none",
  "budget=5 judge=none",
];
const summary = syntheticSummary({ graphs: ["base"], variants });

it("draws a line for each graph and other setting over the settings that take numbers (BTP, figures 2 and 3)", async () => {
  expect(numericSettings(summary)).toEqual(["budget"]);
  expect(numericSettings(syntheticSummary())).toEqual([]);
  const score = findScore(summary, "answerNumeric");
  if (!score) throw new Error("the fixture has no such score");
  const points = linePoints(summary, score, "budget");
  const lines = ["base judge=rule", "base judge=none"];
  expect(points.map(({ line, at }) => [line, at])).toEqual([
    [lines[0], 20],
    [lines[0], 5],
    [lines[1], 20],
    [lines[1], 5],
  ]);
  const svg = String(await drawChart(lineChart(points, score, "budget")));
  for (const text of [...lines, "budget", score.label, "0.5"])
    expect(svg).toContain(`>${text}</text>`);
});
