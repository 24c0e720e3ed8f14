import type { Summary } from "../../summary/summary.js";
import { jsonMarkup, markup, type Markup } from "../markup.js";
import { RUN_DETAILS_ID, RUN_LIST_ID, type RunColumn } from "./payload.js";
import { runDetails, runList } from "./runData.js";

/** The frame and the data of the list of runs; the page's script fills the frame. */
export function runsSection(summary: Summary): Markup {
  const runs = runList(summary);
  const names = (key: "graph" | "level" | "status") => [
    ...new Set(runs.runs.map((run) => run[key]).filter(Boolean)),
  ];
  const outcomes = ["right", "wrong", "marked", ...names("status")];
  return markup`<noscript><p class="warning">The list of runs needs JavaScript; all else does not.</p></noscript>
<p class="muted">Click on a run, or press Enter on its task, for all that happened in it.</p>
<form id="run-filters" role="search">
<label>Text in task, request or answer <input id="runs-text" type="search" autocomplete="off"></label>
${select({ id: "runs-graph", label: "Graph", all: "all graphs", values: names("graph") })}
${select({ id: "runs-level", label: "Level", all: "all levels", values: names("level") })}
${select({ id: "runs-outcome", label: "Outcome", all: "any outcome", values: outcomes })}
</form>
${pages()}
<div class="scroll" role="region" tabindex="0" aria-label="Runs">
<table id="runs-table" role="table" class="folds">
<thead role="rowgroup"><tr role="row">${runs.columns.map(columnHeader)}</tr></thead>
<tbody role="rowgroup" id="runs-body"></tbody>
</table>
</div>
${dialog()}
<script type="application/json" id="${RUN_LIST_ID}">${jsonMarkup(runs)}</script>
<script type="application/x-ndjson" id="${RUN_DETAILS_ID}">
${runDetails(summary).map((details) => [jsonMarkup(details), "\n"])}</script>`;
}

function select(request: { id: string; label: string; all: string; values: string[] }): Markup {
  const { id, label, all, values } = request;
  const options = values.map((value) => markup`<option value="${value}">${value}</option>`);
  return markup`<label>${label}
<select id="${id}"><option value="">${all}</option>${options}</select>
</label>`;
}

function pages(): Markup {
  return markup`<div class="pages">
<button type="button" id="runs-before">← earlier</button>
<button type="button" id="runs-after">later →</button>
<span id="runs-count" role="status"></span>
</div>`;
}

function columnHeader({ key, label, numeric }: RunColumn): Markup {
  const button = markup`<button type="button" data-key="${key}">${label}</button>`;
  return markup`<th role="columnheader" scope="col" class="${numeric ? "number" : "text"}">${button}</th>`;
}

function dialog(): Markup {
  return markup`<dialog id="run" aria-labelledby="run-title">
<header>
<h2 id="run-title"></h2>
<button type="button" id="run-before">← previous</button>
<button type="button" id="run-after">next →</button>
<span id="run-place" class="muted"></span>
<button type="button" id="run-close">Close</button>
</header>
<div id="run-body" tabindex="0"></div>
</dialog>`;
}
