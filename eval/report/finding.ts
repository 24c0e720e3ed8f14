import { type Comparison, isBeyondNoise } from "../summary/compare.js";
import type { Row, Summary } from "../summary/summarizeRuns.js";
import { formatCount, formatDifference, formatFigure, formatP } from "./figureText.js";
import { figuresOf, type ScoreInfo, seriesName, verdictScores } from "./scores.js";

/** The first sentence of a report: what was found, and whether it is within noise. */
export function findingOf(summary: Summary): string {
  const [score] = verdictScores(summary);
  if (score === undefined) {
    return summary.runs.length === 0
      ? "No run has a result yet, so nothing was found."
      : "No score of this experiment says whether a run was right, so nothing was found but costs.";
  }
  const figures = figuresOf(summary, score);
  const [best, next, ...others] = figures.toSorted((a, b) => b.mean - a.mean);
  if (!best) return "No run has a result yet, so nothing was found.";
  const lead = `${seriesName(best.row)} is right in ${share(best.mean)} of its runs (${score.label}, ${count(best.row.tasks)})`;
  if (!next) {
    const { low, high } = best;
    return `${lead}; nothing else was run beside it, and with other tasks of the kind it might as well be anything from ${share(low)} to ${share(high)}.`;
  }
  if (best.mean === next.mean) {
    return `${lead}, and so is ${seriesName(next.row)}: between the best there is no difference beyond noise.`;
  }
  const ahead = formatDifference(best.mean - next.mean, score.unit);
  const least = `${lead}, more than ${others.length > 0 ? "any other; the next, " : ""}${seriesName(next.row)}`;
  return `${least}: the difference of ${ahead} ${worth(summary, score, [best.row, next.row])}.`;
}

/** The first sentence of a comparison: what changed from A to B, and whether it is within noise. */
export function changeFound({ scorers, scores }: Comparison): string {
  const [score] = scorers.filter(
    ({ id, unit }) => unit === "share" && scores.some((each) => each.score === id),
  );
  if (score === undefined) return "The experiments share no score that says what was right.";
  const compared = scores.filter((each) => each.score === score.id);
  const certain = compared.filter(({ verdict }) => verdict !== "within noise");
  const [largest] = compared.toSorted((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
  if (certain.length === 0 && largest) {
    const { difference, p } = largest;
    return `From A to B nothing changed beyond noise: ${score.label} differs by ${formatDifference(difference, score.unit)} at most (${seriesName(largest)}, p ${formatP(p)}).`;
  }
  const told = certain.map((each) => {
    const by = formatDifference(each.difference, score.unit);
    return `${seriesName(each)} is ${each.verdict} (${by}, p ${formatP(each.p)})`;
  });
  const rest = compared.length - certain.length;
  const others = rest > 0 ? `; ${formatCount(rest)} more changed within noise` : "";
  return `From A to B, by ${score.label}, ${told.join(" and ")}, beyond noise${others}.`;
}

/** What the test between two rows says of their difference. */
function worth(summary: Summary, { id }: ScoreInfo, rows: [Row, Row]): string {
  const names = rows.map(seriesName);
  const test = summary.tests.find(
    ({ score, a, b }) => score === id && [a, b].every((each) => names.includes(seriesName(each))),
  );
  if (!test) return "was not tested, since both graph and settings differ";
  const where = isBeyondNoise(test) ? "is beyond noise" : "is within noise";
  return `${where} (p ${formatP(test.p)}, ${formatCount(test.differing)} of ${count(test.pairs)} differ)`;
}

function share(mean: number): string {
  return formatFigure(mean, "share");
}

function count(tasks: number): string {
  return `${formatCount(tasks)} ${tasks === 1 ? "task" : "tasks"}`;
}
