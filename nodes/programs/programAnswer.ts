import { wordsOf } from "../../plans/grounding/sources.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { decides, needsNoFunction, textsIn } from "../../plans/language/expressionsIn.js";
import type { Progress } from "../../plans/language/progress.js";
import { MOST_PLAN_CALLS, MOST_REFLECTIONS } from "../../state/settings.js";
import { saidEffects } from "../../tools/library/records/effects.js";
import {
  type GraphState,
  type ProgramState,
  type StateUpdate,
  unservedTasks,
} from "../../state/state.js";
import { type Followed, type Following, programCalls, writesMade } from "./followProgram.js";
import type { Contradiction } from "../policy/contradictions.js";
import { knownTo } from "../policy/grounding.js";
import { leaveProgram } from "./programCalls.js";
import { inLedgerUnit, leftOf } from "../../state/ledger.js";
import { amountText } from "../kit/promptTexts.js";
import { wholeResult } from "../kit/stage.js";
import { pricesOf } from "../../state/budget/prices.js";
import { outOfMoney } from "../kit/askModel.js";
import { undoEnd } from "./undoAnswer.js";

/**
 * The answer of a finished program. What it computed from results is as good as they are; values the model
 * wrote into its texts must come from the request or a result. An answer that is empty, contains other values,
 * or mentions nothing that was found still needs wording.
 */
export async function programAnswer(
  options: Following & { end: NonNullable<Progress["end"]> },
): Promise<StateUpdate> {
  const { program, state, end } = options;
  if (program.undo) return undoEnd(state, program);
  const text = end.text.trim();
  if (!text) return toBeWorded(options, "the answer has to be put into words");
  const guesses = guessedValues(options);
  if (guesses.length > 0) {
    const reason = `the answer contains ${guesses.join("; ")}, which is neither in the request nor in a result`;
    return toBeWorded(options, reason);
  }
  if (end.failed) return { program, status: "unsolved", answer: text };
  if (isSilent(options)) return toBeWorded(options, "the answer says nothing about the results");
  const disagreeing = await disagreement(options, text);
  if (disagreeing) return disagreeing;
  const update = answerUpdate(state, program, text);
  const isNeedless = update.status === "solved" && needsNoFunction(options.followed.program);
  return isNeedless ? { ...update, status: "answered" } : update;
}

/**
 * An answer that contradicts what was done. If it only leaves out what a result says of itself, or tells its length for a
 * count, the model words the results; otherwise `act` goes on with what is missing. A program without calls was asked about
 * when it was checked.
 */
async function disagreement(
  options: Parameters<typeof programAnswer>[0],
  text: string,
): Promise<StateUpdate | undefined> {
  const { program, state, settings } = options;
  if (programCalls(program, state).size === 0) return undefined;
  const { contradictionsIn } = await import("../policy/contradictions.js");
  const { toolsOfRun } = await import("../policy/deeds.js");
  const contradictions = contradictionsIn(text, state, await toolsOfRun(state, settings));
  const anew = writtenAnew(options, contradictions);
  if (anew) return anew;
  const told = contradictions.map((each) => each.text).join("; ");
  if (contradictions.some(({ kind }) => kind !== "unsaid" && kind !== "miscounted"))
    return leaveProgram(program, `its answer does not agree with what was done. ${told}`);
  return told ? toBeWorded(options, told) : undefined;
}

/**
 * A program that can be told what to do instead, as one that counts a part of a listing, is told so once, if that takes no
 * more calls than a plan may make and nothing was written yet.
 */
function writtenAnew(
  { program, state, followed }: Parameters<typeof programAnswer>[0],
  contradictions: readonly Contradiction[],
): StateUpdate | undefined {
  const ways = contradictions.flatMap(({ on }) => on ?? []);
  const calls = ways.reduce((sum, way) => sum + way.calls, state.calls.length);
  const cue = [...new Set(ways.map(({ how }) => how))].join(" ");
  if (ways.length === 0 || ways.length < contradictions.length) return undefined;
  if (program.cues.includes(cue) || program.cues.length >= MOST_REFLECTIONS) return undefined;
  if (calls > MOST_PLAN_CALLS || writesMade(state, program, followed).length > 0) return undefined;
  const issues = contradictions.map(({ text }) => ({ kind: "language" as const, problem: text }));
  return { program: { ...program, issues, cues: [...program.cues, cue] } };
}

/** If something was found, wording it suffices; otherwise `act` must find it. */
export function toBeWorded(
  { program, state }: Pick<Parameters<typeof programAnswer>[0], "program" | "state">,
  reason: string,
): StateUpdate {
  if (programCalls(program, state).size === 0) return leaveProgram(program, reason);
  return { program: { ...program, next: "word" } };
}

/** The end of a run with an answer that names what no tool did and what a person changed. */
export function answerUpdate(state: GraphState, program: ProgramState, text: string): StateUpdate {
  const missing = unservedTasks(state).filter((task) => program.needs.includes(task));
  const undone = missing.length > 0 && `Not done, for lack of a tool: ${missing.join("; ")}.`;
  const answer = [text, ...changesByHand(program), undone].filter(Boolean).join(" ");
  return { program, status: undone ? "unsolved" : "solved", answer };
}

/** The end of a run whose program only asks for what no tool does: call by call, it would find no other tools. */
export function nothingServes(
  program: ProgramState,
  state: GraphState,
  phrases: readonly string[],
  away = "",
): StateUpdate {
  const known = [...new Set([...phrases, ...unservedTasks(state)])];
  const lack = away
    ? `No tool within reach was found for this: ${known.join("; ")}. ${away}`
    : `No tool was found for this in the library: ${known.join("; ")}.`;
  return { program, status: "unsolved", answer: `${lack} Nothing was done.` };
}

/** The program does not know what a person changed, so its answer may be wrong about it. */
function changesByHand({ approved, skipped }: ProgramState): string[] {
  const changed = approved.filter(({ instead }) => instead !== undefined).length;
  return [
    ...(skipped.length > 0 ? [`${writes(skipped.length)} removed by a person and not made.`] : []),
    ...(changed > 0 ? [`${writes(changed)} made with arguments that a person changed.`] : []),
  ];
}

function writes(count: number): string {
  return `${count} ${count === 1 ? "write was" : "writes were"}`;
}

/** Values in the answer that the model wrote before anything ran and that no result supports. */
function guessedValues(options: Parameters<typeof programAnswer>[0]): string[] {
  const { state, settings, followed, end } = options;
  const known = knownTo(state, settings);
  const guesses = textsIn(followed.program)
    .flatMap((text) => ungroundedValues(text, known))
    // A refusal or a question may name what there is: "only GitHub and Notion".
    .filter(({ kind }) => !(end.failed && kind === "name"))
    .map(({ written }) => written.trim());
  const doubtful = new Set(ungroundedValues(end.text, known).map(({ written }) => written.trim()));
  return [...new Set(guesses)].filter((written) => doubtful.has(written));
}

/** Nothing read appears in the answer, but for what the request says itself, or decided anything. */
function isSilent({ program, state, followed, end }: Parameters<typeof programAnswer>[0]): boolean {
  const calls = [...programCalls(program, state).values()];
  const reading = new Set(
    [...followed.tools.values()].filter((one) => saidEffects(one) === "read").map(({ id }) => id),
  );
  const hasReadAlone = calls.length > 0 && calls.every(({ tool }) => reading.has(tool));
  if (!hasReadAlone || decides(followed.program)) return false;
  if (end.origins.length > 0) return !saysMoreThan(state.run.request, end.text);
  // What the program computes by itself may be what a call has found.
  return !calls.some((call) => call.error === undefined && isIn(end.text, wholeResult(call)));
}

/** Whether a text says what a request does not: "I know about Ann." says nothing, a choice or a number does. */
function saysMoreThan(request: string, text: string): boolean {
  const asked = wordsOf(request);
  const words = wordsOf(text).trim().split(" ");
  const isChoice = words.length <= FEWEST_REPEATED || /(?<![\p{L}\p{N}_-])\d/u.test(text);
  return isChoice || words.some((word) => !asked.includes(` ${word} `) && word !== "i");
}

/** One or two words of a request may be what it asks for, "Berlin". */
const FEWEST_REPEATED = 2;

/** Whether a text holds a number or text as a word of its own. */
function isIn(text: string, result: unknown): boolean {
  if (typeof result !== "number" && typeof result !== "string") return false;
  const words = text.split(/[^\p{L}\p{N}.-]+/u);
  return words.some((word) => word.replace(/\.$/, "") === String(result));
}

/** Rounding tolerance, as a share of the budget, for sums such as 0.1 + 0.2. */
const ROUNDING = 1e-9;

/**
 * The end of a run whose program would make too many calls, or more than the budget pays for. It comes before
 * the first write, so nothing is left half done. Undefined for a program within bounds.
 */
export function beyondBounds(
  state: GraphState,
  program: ProgramState,
  followed: Followed,
): StateUpdate | undefined {
  const { progress, offer } = followed;
  const made = [...programCalls(program, state).values()];
  const counts = Object.entries(progress.counts);
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const wanted = counts.map(([tool, count]) => `${tool} ${count} ×`).join(", ");
  const hasWritten = writesMade(state, program, followed).length > 0;
  if (total > MOST_PLAN_CALLS) {
    const written = hasWritten ? "Its earlier writes stand." : "Nothing was written.";
    const answer = `Stopped by the limit of ${MOST_PLAN_CALLS} calls of one plan: this one needs ${total} or more (${wanted}). ${written}`;
    return { status: "limit", answer };
  }
  if (!state.ledger?.enforced || hasWritten) return undefined;
  const price = counts.reduce((sum, [tool, count]) => {
    const open = count - made.filter((call) => call.tool === tool).length;
    return sum + Math.max(0, open) * (offer.prices[tool] ?? 0);
  }, 0);
  if (price <= leftOf(state) * (1 + ROUNDING)) return undefined;
  return outOfMoney(state, { what: `the calls of the plan (${wanted})`, price });
}

/**
 * The calls that a program makes and what they cost, as far as its reads tell: "41 calls (works_list 1,
 * update_work 40), 0.41 units". Without a budget or prices they are counted but not priced.
 */
export function billText(options: {
  followed: Pick<Followed, "progress" | "tools">;
  state: Pick<GraphState, "ledger">;
}): string {
  const { followed, state } = options;
  const { ledger } = state;
  const { counts, complete } = followed.progress;
  const tools = [...followed.tools.values()];
  const units = pricesOf(tools);
  const calls = Object.entries(counts);
  if (calls.length === 0) return "no calls";
  const total = calls.reduce((sum, [, count]) => sum + count, 0);
  const price = calls.reduce((sum, [tool, count]) => sum + count * (units[tool] ?? 0), 0);
  const each = calls.map(([tool, count]) => `${tool} ${count}`).join(", ");
  const bound = complete ? "" : "at least ";
  const counted = `${bound}${total} ${total === 1 ? "call" : "calls"} (${each})`;
  if (!ledger && tools.every(({ cost }) => cost === undefined)) return counted;
  const amount = ledger ? inLedgerUnit(price, ledger) : price;
  return `${counted}, ${bound}${amountText(amount, ledger?.unit ?? "units")}`;
}
