import { RUN_DETAILS_ID, RUN_LIST_ID, type RunDetails, type RunList } from "../payload.js";
import { byId } from "./dom.js";
import { showRunDialog } from "./runDialog.js";
import { showRunTable } from "./runTable.js";

const list = JSON.parse(byId(RUN_LIST_ID, HTMLScriptElement).text) as RunList;
let lines: string[] | undefined;

const openRun = showRunDialog({ list, detailsOf });
showRunTable({ list, openRun });

/** The details of each run are one line, which is parsed only when the run is opened. */
function detailsOf(index: number): RunDetails {
  lines ??= byId(RUN_DETAILS_ID, HTMLScriptElement).text.trim().split("\n");
  return JSON.parse(lines[index] ?? "") as RunDetails;
}
