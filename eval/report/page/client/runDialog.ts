import { formatCount } from "../../figureText.js";
import type { RunDetails, RunList } from "../payload.js";
import { byId } from "./dom.js";
import { runContents } from "./runContents.js";

/**
 * Shows single runs in a dialog, from which one can go on to the next run of the list.
 *
 * @returns opens the run at a place of the list as it is sorted and filtered
 */
export function showRunDialog(request: {
  list: RunList;
  detailsOf: (index: number) => RunDetails;
}): (chosen: number[], place: number) => void {
  const { list, detailsOf } = request;
  const dialog = byId("run", HTMLDialogElement);
  let chosen: number[] = [];
  let place = 0;

  byId("run-close", HTMLButtonElement).addEventListener("click", () => dialog.close());
  byId("run-before", HTMLButtonElement).addEventListener("click", () => show(place - 1));
  byId("run-after", HTMLButtonElement).addEventListener("click", () => show(place + 1));
  // A click beside the dialog hits the dialog itself, one inside it hits a part of it.
  dialog.addEventListener("click", ({ target }) => {
    if (target === dialog) dialog.close();
  });
  return (runs, start) => {
    chosen = runs;
    show(start);
    dialog.showModal();
  };

  function show(next: number): void {
    place = next;
    const index = chosen[place] ?? 0;
    const run = list.runs[index];
    if (!run) return;
    const series = [run.graph, run.variant].filter(Boolean).join(" · ");
    byId("run-title", HTMLElement).textContent = `${run.task} · ${series} · run ${run.run}`;
    byId("run-place", HTMLElement).textContent =
      `${formatCount(place + 1)} of ${formatCount(chosen.length)}`;
    const body = byId("run-body", HTMLElement);
    body.replaceChildren(...runContents(detailsOf(index)));
    body.scrollTop = 0;
    byId("run-before", HTMLButtonElement).disabled = place === 0;
    byId("run-after", HTMLButtonElement).disabled = place + 1 >= chosen.length;
  }
}
