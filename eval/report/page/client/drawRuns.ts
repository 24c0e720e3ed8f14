import { formatCount, formatFigure, NO_FIGURE } from "../../figureText.js";
import type { RunColumn, RunLine, RunList } from "../payload.js";
import type { Choice } from "./chooseRuns.js";
import { byId, element } from "./dom.js";

/** Rows on one page of the list: more would make a long list slow to draw. */
export const PAGE = 50;

/** What is seen of the list. */
export interface View {
  choice: Choice;
  /** Indexes of the chosen runs, in order. */
  chosen: number[];
  /** Place of the first run on the page. */
  first: number;
}

/** Shows a page of the list, how many runs there are, and by what they are sorted. */
export function drawRuns(list: RunList, view: View): void {
  const { chosen, first } = view;
  const shown = chosen.slice(first, first + PAGE).flatMap((index) => list.runs[index] ?? []);
  const rows = shown.map((run) => rowOf(run, list.columns));
  byId("runs-body", HTMLTableSectionElement).replaceChildren(...rows);
  byId("runs-count", HTMLElement).textContent = countText(view, {
    shown: shown.length,
    all: list.runs.length,
  });
  byId("runs-before", HTMLButtonElement).disabled = first === 0;
  byId("runs-after", HTMLButtonElement).disabled = first + PAGE >= chosen.length;
  markSorting(view.choice);
}

function countText({ chosen, first }: View, counts: { shown: number; all: number }): string {
  const all = formatCount(counts.all);
  if (counts.shown === 0) return `none of ${all} runs`;
  const left = chosen.length === counts.all ? "" : ` (${all} in all)`;
  const places = `${formatCount(first + 1)}–${formatCount(first + counts.shown)}`;
  return `${places} of ${formatCount(chosen.length)} runs${left}`;
}

function markSorting({ key, descending }: Choice): void {
  for (const button of document.querySelectorAll<HTMLElement>("#runs-table [data-key]")) {
    const header = button.closest("th");
    if (button.dataset["key"] !== key) header?.removeAttribute("aria-sort");
    else header?.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }
}

function rowOf(run: RunLine, columns: RunColumn[]): HTMLElement {
  const cells = columns.map(({ key, label, numeric }, index) => {
    const text = cellText(run, key);
    const kind = numeric ? "number" : "text";
    if (index === 0) {
      const button = element("button", { type: "button", class: "open" }, text);
      return element("th", { role: "rowheader", scope: "row", class: kind }, button);
    }
    const about = { role: "cell", "data-label": label };
    return element("td", { ...about, class: `${kind} ${cellClass(run, key)}` }, text);
  });
  return element("tr", { role: "row" }, ...cells);
}

function cellText(run: RunLine, key: keyof RunLine): string {
  const value = run[key];
  if (value === null) return NO_FIGURE;
  switch (key) {
    case "verdict":
      return verdictText(Number(value));
    case "status":
      return run.marked ? `${run.status} · marked` : run.status;
    case "recall":
      return formatFigure(Number(value), "share");
    case "usd":
    case "ms":
    case "tokens":
      return formatFigure(Number(value), key);
    default:
      return String(value);
  }
}

function verdictText(verdict: number): string {
  if (verdict === 1) return "✓ yes";
  return verdict === 0 ? "✗ no" : formatFigure(verdict, "share");
}

function cellClass(run: RunLine, key: keyof RunLine): string {
  if (key === "verdict") return run.verdict === 1 ? "good" : "bad";
  return key === "status" && run.status !== "solved" && run.status !== "planned" ? "bad" : "";
}
