import { formatCount, formatFigure, NO_FIGURE } from "../../numbers.js";
import type { RunColumn, RunLine, RunList } from "../payload.js";
import { type Choice, chooseRuns } from "./chooseRuns.js";
import { byId, element } from "./dom.js";

/** Rows on one page of the list: more would make a long list slow to draw. */
const PAGE = 50;

/**
 * Brings the list of runs to life: sorting, filtering, turning pages, opening.
 *
 * @param request.openRun opens a run, given the runs of the list as it is sorted and filtered
 */
export function showRunTable(request: {
  list: RunList;
  openRun: (chosen: number[], place: number) => void;
}): void {
  const { list, openRun } = request;
  let choice: Choice = { ...readFilters(), key: "task", descending: false };
  let chosen: number[] = [];
  let first = 0;

  choose();
  byId("run-filters", HTMLFormElement).addEventListener("input", () => {
    choice = { ...choice, ...readFilters() };
    choose();
  });
  byId("run-filters", HTMLFormElement).addEventListener("submit", (event) =>
    event.preventDefault(),
  );
  for (const button of document.querySelectorAll<HTMLElement>("#runs-table [data-key]"))
    button.addEventListener("click", () => {
      const key = button.dataset["key"] as keyof RunLine;
      choice = { ...choice, key, descending: choice.key === key && !choice.descending };
      choose();
    });
  byId("runs-before", HTMLButtonElement).addEventListener("click", () => turn(-PAGE));
  byId("runs-after", HTMLButtonElement).addEventListener("click", () => turn(PAGE));
  byId("runs-body", HTMLTableSectionElement).addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (!row) return;
    // The dialog gives the focus back to where it was.
    row.querySelector("button")?.focus();
    openRun(chosen, first + row.sectionRowIndex);
  });

  function choose(): void {
    chosen = chooseRuns(list, choice);
    first = 0;
    draw();
  }

  function turn(rows: number): void {
    first = Math.max(0, Math.min(first + rows, chosen.length - 1));
    draw();
  }

  function draw(): void {
    const shown = chosen.slice(first, first + PAGE);
    const rows = shown
      .flatMap((index) => list.runs[index] ?? [])
      .map((run) => rowOf(run, list.columns));
    byId("runs-body", HTMLTableSectionElement).replaceChildren(...rows);
    byId("runs-count", HTMLElement).textContent = countText({
      first,
      shown: shown.length,
      chosen,
      list,
    });
    byId("runs-before", HTMLButtonElement).disabled = first === 0;
    byId("runs-after", HTMLButtonElement).disabled = first + PAGE >= chosen.length;
    markSorting(choice);
  }
}

function readFilters(): Pick<Choice, "text" | "graph" | "level" | "outcome"> {
  return {
    text: byId("runs-text", HTMLInputElement).value,
    graph: byId("runs-graph", HTMLSelectElement).value,
    level: byId("runs-level", HTMLSelectElement).value,
    outcome: byId("runs-outcome", HTMLSelectElement).value,
  };
}

function countText(request: {
  first: number;
  shown: number;
  chosen: number[];
  list: RunList;
}): string {
  const { first, shown, chosen, list } = request;
  const all = formatCount(list.runs.length);
  if (shown === 0) return `none of ${all} runs`;
  const left = chosen.length === list.runs.length ? "" : ` (${all} in all)`;
  const places = `${formatCount(first + 1)}–${formatCount(first + shown)}`;
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
  const cells = columns.map(({ key, numeric }, index) => {
    const text = cellText(run, key);
    const kind = numeric ? "number" : "text";
    if (index === 0) {
      const button = element("button", { type: "button", class: "open" }, text);
      return element("th", { scope: "row", class: kind }, button);
    }
    return element("td", { class: `${kind} ${cellClass(run, key)}` }, text);
  });
  return element("tr", {}, ...cells);
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
  return key === "status" && run.status !== "solved" ? "bad" : "";
}
