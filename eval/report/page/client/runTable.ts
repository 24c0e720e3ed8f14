import type { RunLine, RunList } from "../payload.js";
import { type Choice, chooseRuns } from "./chooseRuns.js";
import { byId } from "./dom.js";
import { drawRuns, PAGE, type View } from "./drawRuns.js";

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
    // The dialog gives the focus back to where it was.
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
