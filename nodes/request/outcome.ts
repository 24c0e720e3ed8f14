import { isDeepStrictEqual } from "node:util";
import { getConfig } from "@langchain/langgraph";
import { clipped } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { isSmallTalk } from "../../plans/grounding/smallTalk.js";
import { wordsOf } from "../../plans/grounding/sources.js";
import type { Settings } from "../../state/settings.js";
import type { Call, GraphState, Status } from "../../state/state.js";
import { saidEffects } from "../../tools/library/records/effects.js";
import { isOutcomeUnknown, RECORDED } from "../../tools/calls/engine/callOutcome.js";
import type { ToolRecord } from "../../tools/tool.js";
import { runWorkspace } from "../../home/workspace.js";
import { offeredTools } from "../policy/offeredTools.js";
import { allTools } from "../policy/toolOffer.js";
import { callInWords, resultsInWords } from "../policy/callTexts.js";
import { amountText } from "../kit/promptTexts.js";
import { leftOf } from "../../state/ledger.js";
import { restsOnEarlier } from "../policy/grounding.js";
import { undoAnswer } from "../programs/undoAnswer.js";

/** How a run has ended, and what its answer does not say. */
export interface Outcome {
  status: Status;
  /** What was not done, in sentences for the user; absent if nothing has to be said. */
  notDone?: string;
}

/**
 * Decides whether a run is solved, for all graphs. Stages only say what the model claims: `solved`, or `answered`
 * for a request that takes no tool. A claim holds if a call has succeeded in the run, or in an earlier one of the
 * thread if the answer states what that found, and if no change is open: no write whose outcome is unknown, that
 * failed or was refused and not made good, or that a program left half-way still had to make, and none that the
 * answer speaks of though none was made. A call that was only recorded has done nothing. In doubt the run is unsolved.
 */
export async function outcomeOf(state: GraphState, settings: Settings): Promise<Outcome> {
  const { status, answer, calls, edits, run } = state;
  if (status !== "solved" && status !== "answered") return { status };
  const hasWorked = calls.some(isDone) || edits.some(({ outcome }) => CHANGED.has(outcome));
  const isFollowUp = !hasWorked && restsOnEarlier(answer, state);
  if (!hasWorked && !isFollowUp && calls.length === 0) {
    const isAnswered = status === "answered" || isSmallTalk(run.request);
    return isAnswered ? { status: "answered" } : { status: "unsolved", notDone: NO_CALL };
  }
  const notDone = await openChanges(state, settings);
  if (notDone) return { status: "unsolved", notDone };
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

/** Set in the `configurable` of the runs of a benchmark, whose tools are often only described: recorded calls count. */
export const COUNTS_RECORDED_KEY = "__tulipgraph_counts_recorded";

const NO_CALL = "No tool was called for this: nothing was looked up, computed or changed.";
const NO_CODE = "the tool is only described";
const NO_SUCCESS = "No tool call succeeded.";

/** Outcomes of edits of the library after which there is what was asked for. */
const CHANGED: ReadonlySet<string> = new Set(["done", "reused"]);

function isDone({ error, refused }: Call): boolean {
  return error === undefined && !refused;
}

/** The changes that were not made, or not for certain; empty if there are none. */
async function openChanges(state: GraphState, settings: Settings): Promise<string> {
  const { calls, program } = state;
  const unknown = calls.filter(({ error }) => error !== undefined && isOutcomeUnknown(error));
  if (unknown.length > 0) return `It is not known whether this was done: ${listed(unknown)}.`;
  const recorded = countsRecorded() ? [] : calls.filter(({ result }) => result === RECORDED);
  if (recorded.length > 0) return `Not done, only recorded: ${listed(recorded)}.`;
  const tools = await toolsOfRun(state, settings);
  const writes = calls.filter(({ tool }) => isSaidToWrite(tools.get(tool)));
  const failed = writes.filter((call) => !isMadeGood(call, { calls, tools }));
  if (failed.length > 0) return `Not done: ${listed(failed)}.`;
  const isMade = writes.some(isDone);
  if (program && program.skipped.length > 0 && !isMade) return "No write was made.";
  if (isMade && program?.left) {
    const { writesLeft } = await import("../programs/followProgram.js");
    if ((await writesLeft(state, settings))?.length !== 0)
      return `Not done in full: the program was abandoned half-way (${clipped(oneLine(program.left), LONGEST_REASON)}).`;
  }
  const claimed = isMade || state.edits.length > 0 ? undefined : claimedWrite(state, tools);
  return claimed ? `Not done: ${claimed} was not called.` : "";
}

function isSaidToWrite(tool: ToolRecord | undefined): boolean {
  return tool !== undefined && saidEffects(tool) === "write";
}

function countsRecorded(): boolean {
  const config = getConfig() as { configurable?: { [COUNTS_RECORDED_KEY]?: true } } | undefined;
  return config?.configurable?.[COUNTS_RECORDED_KEY] ?? false;
}

const LONGEST_REASON = 300;

/** The tools of a run, by id and by the names that a refused call has. */
async function toolsOfRun(
  state: GraphState,
  settings: Settings,
): Promise<ReadonlyMap<string, ToolRecord>> {
  const offered = allTools(await offeredTools(state, settings));
  const library = await runWorkspace().library(settings);
  const called = state.calls.flatMap(({ tool }) => library.get(tool) ?? []);
  const byId = [...offered.values(), ...called].map((tool) => [tool.id, tool] as const);
  return new Map([...offered, ...byId]);
}

/**
 * Whether a write was made: it succeeded, a later call of its tool did (with other arguments, as a model that was
 * told what was wrong sends them), or it was refused because the same call had been made already.
 */
function isMadeGood(
  call: Call,
  { calls, tools }: { calls: readonly Call[]; tools: ReadonlyMap<string, ToolRecord> },
): boolean {
  const id = tools.get(call.tool)?.id;
  const made = calls.filter((one) => isDone(one) && one.tool === id);
  const at = calls.indexOf(call);
  return made.some((one) => calls.indexOf(one) >= at || isDeepStrictEqual(one.args, call.args));
}

/** Shortest and longest difference between forms of a word. */
const SHORTEST_STEM = 3;
const LONGEST_ENDING = 3;

/**
 * A write on offer that an answer speaks of as the request does, in another form of its first word: "closed" after
 * "Close ISS-3" where there is `close_issue`. What the request itself says so, or a result does, is not a claim.
 */
function claimedWrite(
  { answer, calls, run }: GraphState,
  tools: ReadonlyMap<string, ToolRecord>,
): string | undefined {
  const asked = listOf(run.request);
  const found = wordsOf(calls.map(({ result }) => JSON.stringify(result) ?? "").join(" "));
  const said = listOf(answer).filter(
    (word) => !asked.includes(word) && !found.includes(` ${word} `),
  );
  const isMeant = (tool: ToolRecord) => {
    const { name } = tool;
    const verb = listOf(
      name
        .split(".")
        .at(-1)
        ?.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|_/gu, " ") ?? "",
    )[0];
    if (!isSaidToWrite(tool) || !verb) return false;
    return asked.some((word) => isForm(word, verb)) && said.some((word) => isForm(word, verb));
  };
  return [...tools.values()].find(isMeant)?.name;
}

function listOf(text: string): string[] {
  return wordsOf(text).trim().split(" ");
}

/** Whether one word is another without its ending: close, closed, closing. */
function isForm(one: string, other: string): boolean {
  const [short, long] = [one, other].toSorted((a, b) => a.length - b.length);
  if (short === undefined || long === undefined) return false;
  // A last "e" goes before an ending: close, closing.
  const stem = long.startsWith(short) ? short : short.slice(0, -1);
  const isStem = stem.length >= SHORTEST_STEM && long.startsWith(stem);
  return isStem && long.length - stem.length <= LONGEST_ENDING;
}

function listed(calls: readonly Call[]): string {
  const texts = calls.map((call) =>
    clipped(`${callInWords(call)}: ${oneLine(call.error ?? NO_CODE)}`, LONGEST_REASON),
  );
  return [...new Set(texts)].join("; ");
}
