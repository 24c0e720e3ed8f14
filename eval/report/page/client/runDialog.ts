import { formatCount, formatFigure } from "../../figureText.js";
import type { RunDetails, RunList, ShownCall } from "../payload.js";
import { byId, element } from "./dom.js";

/**
 * Shows single runs in a dialog with buttons for the previous and the next run.
 *
 * @returns opens the run at a position of the sorted and filtered list
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
  // The target of a click outside the dialog is the dialog itself; inside, it is one of its parts.
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

/** Longer values, in characters, take the whole width. */
const LONG = 80;

/** All details of one run. */
function runContents(run: RunDetails): HTMLElement[] {
  const sections = [
    outcomeSection(run),
    section("Expected", expectedContents(run)),
    section(
      "Marked",
      run.problems.map(([score, reason]) => line(`${score}: ${reason}`, "bad")),
    ),
    section("Scores", run.scores.length > 0 ? [scoresOf(run)] : []),
    section("Stages", run.stages.length > 0 ? [stagesOf(run)] : []),
    section("Subtasks", run.subtasks.map(subtaskOf)),
    section(
      "Searches",
      run.searches.map((search) => searchOf(search, run.task.tools)),
    ),
    section("Plan", run.plan.map(code)),
    section("Calls", run.calls.map(callOf)),
    section("Change to the world", run.change === undefined ? [] : [code(run.change)]),
    section("Settings", [pairs([...run.facts, ...run.settings])]),
  ];
  return sections.filter((found) => found !== undefined);
}

function outcomeSection(run: RunDetails): HTMLElement {
  const { query, split } = run.task;
  return element(
    "section",
    {},
    split === undefined ? undefined : line(split, "muted"),
    query === "" ? undefined : element("p", { class: "request" }, query),
    element("h3", {}, `Answer · ${run.status}`),
    element("p", { class: "answer" }, run.answer === "" ? "(none)" : run.answer),
    run.error === undefined ? undefined : element("p", { class: "bad" }, run.error),
  );
}

function expectedContents({ task }: RunDetails): HTMLElement[] {
  const { answers, tools, calls, change } = task;
  return [
    ...(answers === undefined ? [] : [line(`Answer: ${answers}`)]),
    line(tools.length > 0 ? `Tools: ${tools.join(", ")}` : "No tool fits the request"),
    ...(calls ?? []).map(code),
    ...(change === undefined ? [] : [code(change)]),
  ];
}

function scoresOf({ scores, estimated }: RunDetails): HTMLElement {
  const entries = scores.map(({ label, value, unit }): [label: string, value: string] => [
    label,
    `${formatFigure(value, unit)}${estimated && unit === "tokens" ? " (estimated)" : ""}`,
  ]);
  return pairs(entries, "scores");
}

function stagesOf({ stages }: RunDetails): HTMLElement {
  const labels = ["Stage", "Model calls", "In", "Out", "Embedded", "Time"];
  const head = labels.map((label, index) =>
    element("th", { scope: "col", class: index === 0 ? "text" : "number" }, label),
  );
  const rows = stages.map((visit) =>
    element(
      "tr",
      {},
      element("th", { scope: "row", class: "text" }, visit.stage),
      ...[visit.modelCalls, visit.inputTokens, visit.outputTokens, visit.embeddingTokens].map(
        (count) => element("td", { class: "number" }, formatCount(count)),
      ),
      element("td", { class: "number" }, formatFigure(visit.ms, "ms")),
    ),
  );
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
  const attributes = { class: "scroll", role: "region", tabindex: "0", "aria-label": "Stages" };
  return element("div", attributes, table);
}

function subtaskOf({
  id,
  text,
  depth,
  status,
  reason,
}: RunDetails["subtasks"][number]): HTMLElement {
  const given = reason === undefined ? status : `${status}: ${reason}`;
  const indent = `depth-${Math.min(depth, 3)}`;
  return element(
    "p",
    { class: indent },
    `${id}. ${text} `,
    element("span", { class: "muted" }, given),
  );
}

function searchOf(
  { phrase, depth, subtask, hits }: RunDetails["searches"][number],
  goldTools: string[],
): HTMLElement {
  const about = [subtask && `subtask ${subtask}`, depth > 0 && `depth ${depth}`].filter(Boolean);
  const items = hits.map(({ tool, distance }) => {
    const isGold = goldTools.includes(tool);
    return element(
      "li",
      isGold ? { class: "good" } : {},
      element("span", {}, isGold ? `${tool} ✓` : tool),
      element("span", { class: "number" }, distance.toFixed(3)),
    );
  });
  return element(
    "div",
    { class: "search" },
    element("p", {}, `“${phrase}” `, element("span", { class: "muted" }, about.join(", "))),
    hits.length > 0 ? element("ol", { class: "hits" }, ...items) : line("nothing found", "bad"),
  );
}

function callOf({ tool, args, result, error, ms }: ShownCall): HTMLElement {
  return element(
    "div",
    { class: "call" },
    element(
      "p",
      {},
      element("b", {}, tool),
      " ",
      element("span", { class: "muted" }, formatFigure(ms, "ms")),
    ),
    code(args),
    result === undefined ? undefined : code(`→ ${result}`),
    error === undefined ? undefined : element("p", { class: "bad" }, error),
  );
}

function section(title: string, contents: HTMLElement[]): HTMLElement | undefined {
  if (contents.length === 0) return undefined;
  return element("section", {}, element("h3", {}, title), ...contents);
}

function pairs(entries: [label: string, value: string][], kind = ""): HTMLElement {
  const parts = entries.map(([label, value]) =>
    element(
      "div",
      value.length > LONG ? { class: "long" } : {},
      element("dt", {}, label),
      element("dd", {}, value),
    ),
  );
  return element("dl", { class: `facts ${kind}` }, ...parts);
}

function line(text: string, kind?: string): HTMLElement {
  return element("p", { class: kind }, text);
}

function code(text: string): HTMLElement {
  return element("pre", {}, text);
}
