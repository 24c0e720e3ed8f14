import { clipped } from "../../../common/bounds.js";
import type { ScoredRun, Summary } from "../../summary/summary.js";
import { formatCount } from "../figureText.js";
import { seriesName, verdictOf } from "../scores.js";
import { cell, row, type Table, textColumn } from "./table.js";

/** Most runs that are shown; the records have all. */
const MOST_SHOWN = 100;

/** Most characters of an answer or a reason. */
const MOST_LETTERS = 300;

/** The runs that were wrong or could not be judged, with why and where to look; absent if all were right. */
export function runsTable(summary: Summary): Table | undefined {
  const queries = new Map(summary.tasks.map(({ id, query }) => [id, query]));
  const wrong = summary.runs.filter((run) => isMarked(run) || verdictOf(run) === 0);
  if (wrong.length === 0) return undefined;
  return {
    caption: `Runs that were not right: ${formatCount(Math.min(wrong.length, MOST_SHOWN))} of ${formatCount(wrong.length)}`,
    columns: [
      textColumn("Task"),
      textColumn("Graph"),
      textColumn("Ended"),
      { ...textColumn("Answer"), prose: true },
      textColumn("Thread"),
    ],
    groups: [
      {
        rows: wrong.slice(0, MOST_SHOWN).map((run) => {
          const { record } = run;
          const { task, answer, error } = record;
          return row([
            cell(task, clipped(queries.get(task) ?? "", MOST_LETTERS)),
            cell(seriesName(record), `run ${record.run}`),
            record.status,
            cell(clipped(error ?? answer, MOST_LETTERS), Object.values(run.problems)[0]),
            record.threadId,
          ]);
        }),
      },
    ],
  };
}

function isMarked({ problems }: ScoredRun): boolean {
  return Object.keys(problems).length > 0;
}
