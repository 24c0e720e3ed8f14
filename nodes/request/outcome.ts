import { clipped } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { isSmallTalk } from "../../plans/grounding/smallTalk.js";
import type { Settings } from "../../state/settings.js";
import type { Deed, Deeds, GraphState, Status } from "../../state/state.js";
import { contradictionsIn } from "../policy/contradictions.js";
import type { RunTools } from "../policy/deeds.js";
import { resultsInWords } from "../policy/callTexts.js";
import { amountText } from "../kit/promptTexts.js";
import { leftOf } from "../../state/ledger.js";
import { restsOnEarlier } from "../policy/grounding.js";
import { undoAnswer } from "../programs/undoAnswer.js";
import { hasSucceeded } from "../../state/calls.js";

/** What an answer is held against. */
export interface RunEnd {
  deeds: Deeds;
  tools: RunTools;
}

/** How a run has ended, and what its answer does not say. */
export interface Outcome {
  status: Status;
  /** What was not done, in sentences for the user; absent if nothing has to be said. */
  notDone?: string;
}

/**
 * Decides whether a run is solved, for all graphs. Stages only say what the model claims: `solved`, or `answered` for a
 * request that takes no tool. A claim holds if a call has succeeded in the run, or in an earlier one of the thread if
 * the answer states what that found, if the receipt leaves no change open, and if the answer contradicts nothing in it.
 *
 * @param end the receipt, and the tools that it speaks of; null for a graph without tools
 */
export async function outcomeOf(
  state: GraphState,
  settings: Settings,
  end: RunEnd | null,
): Promise<Outcome> {
  const { status, answer, calls, edits, run } = state;
  if (status !== "solved" && status !== "answered") return { status };
  const hasWorked = calls.some(hasSucceeded) || edits.some(({ outcome }) => CHANGED.has(outcome));
  const isFollowUp = !hasWorked && restsOnEarlier(answer, state);
  const isSilent = !hasWorked && !isFollowUp && calls.length === 0;
  if (isSilent && status !== "answered" && !isSmallTalk(run.request))
    return { status: "unsolved", notDone: NO_CALL };
  const notDone = end && (await openChanges(state, settings, end));
  if (notDone) return { status: "unsolved", notDone };
  if (isSilent) return { status: "answered" };
  if (hasWorked || isFollowUp) return { status: "solved" };
  return { status: "unsolved", notDone: NO_SUCCESS };
}

/** An answer, with what a run that was cut short has found (unless `summarize` has said it) and lacked, and what is not done. */
export function wholeAnswer(state: GraphState, notDone: string | undefined): string {
  if (state.program?.undo) return undoAnswer(state, state.program);
  const isCut = !state.tree && WITH_RESULTS.includes(state.status);
  const found = isCut ? resultsInWords(state) : "";
  const lacked = state.status === "budget" ? lackedMoney(state) : "";
  return [state.answer, found, lacked, notDone].filter(Boolean).join(" ");
}

const WITH_RESULTS: readonly Status[] = ["limit", "budget", "error"];

function lackedMoney(state: GraphState): string {
  const { ledger } = state;
  const last = ledger?.refused.at(-1);
  if (!ledger || !last) return "";
  const left = leftOf(state);
  const amount = (value: number) => amountText(value, ledger.unit);
  // Affordable, but not granted by the plan that divides the budget.
  if (ledger.quotas && last.price <= left)
    return `The plan for the budget granted no further call of ${last.what}; ${amount(left).replace(/ units?$/, "")} of ${amount(ledger.amount)} are left.`;
  return `The budget of ${amount(ledger.amount)} did not allow ${last.what}, which takes up to ${amount(last.price)}.`;
}

const NO_CALL = "No tool was called for this: nothing was looked up, computed or changed.";
const NO_SUCCESS = "No tool call succeeded.";

/** Outcomes of edits of the library after which there is what was asked for. */
const CHANGED: ReadonlySet<string> = new Set(["done", "reused"]);

/** What of the receipt is open, or not as the answer says; empty if there is nothing. */
async function openChanges(
  state: GraphState,
  settings: Settings,
  { deeds, tools }: RunEnd,
): Promise<string> {
  const { program } = state;
  const { made, failed, refused, notMade, unknown } = deeds;
  if (unknown.length > 0) return `It is not known whether this was done: ${listed(unknown)}.`;
  // What a person took out of a program is not a call.
  const open = [...failed, ...refused, ...notMade.filter(({ id }) => id !== undefined)];
  if (open.length > 0) return `Not done: ${listed(open)}.`;
  if (program && program.skipped.length > 0 && made.length === 0) return "No write was made.";
  if (program?.left && made.length > 0) {
    const { writesLeft } = await import("../programs/followProgram.js");
    if ((await writesLeft(state, settings))?.length !== 0)
      return `Not done in full: the program was abandoned half-way (${clipped(oneLine(program.left), LONGEST_REASON)}).`;
  }
  return contradictionsIn(state.answer, state, tools)
    .map(({ text }) => `${text}.`)
    .join(" ");
}

const LONGEST_REASON = 300;

function listed(deeds: readonly Deed[]): string {
  return [...new Set(deeds.map(({ says }) => says))].join("; ");
}
