import type { RunLine, RunList } from "../payload.js";

/** Which runs the list shows, and in which order. */
export interface Choice {
  text: string;
  graph: string;
  level: string;
  /** "right", "wrong", "marked", a status, or "" for all. */
  outcome: string;
  key: keyof RunLine;
  descending: boolean;
}

/** The indexes of the chosen runs, sorted; runs without the figure come last in either direction. */
export function chooseRuns({ runs, queries }: RunList, choice: Choice): number[] {
  const words = choice.text.toLowerCase().split(/\s+/).filter(Boolean);
  return runs
    .map((run, index) => ({ run, index }))
    .filter(({ run }) => isChosen(run, choice))
    .filter(({ run }) => {
      const text = searchedText(run, queries[run.task]);
      return words.every((word) => text.includes(word));
    })
    .toSorted((a, b) => compareRuns(a.run, b.run, choice) || a.index - b.index)
    .map(({ index }) => index);
}

function isChosen(run: RunLine, { graph, level, outcome }: Choice): boolean {
  if (graph !== "" && run.graph !== graph) return false;
  if (level !== "" && run.level !== level) return false;
  switch (outcome) {
    case "":
      return true;
    case "right":
      return run.verdict === 1;
    case "wrong":
      return run.verdict !== null && run.verdict < 1;
    case "marked":
      return run.marked;
    default:
      return run.status === outcome;
  }
}

function searchedText(run: RunLine, query = ""): string {
  return [run.task, run.graph, run.variant, run.status, query, run.answer].join("\n").toLowerCase();
}

const inOrder = new Intl.Collator("en", { numeric: true });

function compareRuns(a: RunLine, b: RunLine, { key, descending }: Choice): number {
  const [first, second] = [a[key], b[key]];
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  const order =
    typeof first === "number" && typeof second === "number"
      ? first - second
      : inOrder.compare(String(first), String(second));
  return descending ? -order : order;
}
