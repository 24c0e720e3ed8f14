import type { RunLine, RunList, RunColumn } from "../payload.js";
import { type Choice, chooseRuns } from "./chooseRuns.js";
import { byId, element } from "./dom.js";
import { formatCount, formatFigure, NO_FIGURE } from "../../figureText.js";

/**
 * Makes the list of runs interactive: sorting, filtering, paging, opening.
 *
 * @param request.openRun opens a run, given the runs of the list as it is sorted and filtered
 */
export function showRunTable(request: {
  list: RunList;
  openRun: (chosen: number[], place: number) => void;
}): void {
  const { list, openRun } = request;
  let view: View = {
    choice: { ...readFilters(), key: "task", descending: false },
    chosen: [],
    first: 0,
  };
  const choose = (changes: Partial<Choice>) => {
    const choice = { ...view.choice, ...changes };
    view = { choice, chosen: chooseRuns(list, choice), first: 0 };
    drawRuns(list, view);
  };
  const turn = (rows: number) => {
    view = { ...view, first: view.first + rows };
    drawRuns(list, view);
  };
  choose({});
  onFilter(() => choose(readFilters()));
  onHeader((key) => {
    choose({ key, descending: view.choice.key === key && !view.choice.descending });
  });
  byId("runs-before", HTMLButtonElement).addEventListener("click", () => turn(-PAGE));
  byId("runs-after", HTMLButtonElement).addEventListener("click", () => turn(PAGE));
  onRow((row) => openRun(view.chosen, view.first + row));
}

function onFilter(filter: () => void): void {
  const form = byId("run-filters", HTMLFormElement);
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
}

function onHeader(sort: (key: keyof RunLine) => void): void {
  for (const button of document.querySelectorAll<HTMLElement>("#runs-table [data-key]"))
    button.addEventListener("click", () => sort(button.dataset["key"] as keyof RunLine));
}

function onRow(open: (row: number) => void): void {
  byId("runs-body", HTMLTableSectionElement).addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (!row) return;
    // When it closes, the dialog returns the focus here.
    row.querySelector("button")?.focus();
    open(row.sectionRowIndex);
  });
}

function readFilters(): Pick<Choice, "text" | "graph" | "level" | "outcome"> {
  return {
    text: byId("runs-text", HTMLInputElement).value,
    graph: byId("runs-graph", HTMLSelectElement).value,
    level: byId("runs-level", HTMLSelectElement).value,
    outcome: byId("runs-outcome", HTMLSelectElement).value,
  };
}

/** Rows on one page of the list; long lists are slow to draw. */
const PAGE = 50;

/** The visible part of the list. */
interface View {
  choice: Choice;
  /** Indexes of the chosen runs, in order. */
  chosen: number[];
  /** Position of the first run on the page. */
  first: number;
}

/** Shows a page of the list, the number of runs, and the sorting. */
function drawRuns(list: RunList, view: View): void {
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
