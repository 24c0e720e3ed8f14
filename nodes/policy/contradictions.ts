import { wordsOf as nameWords } from "../../common/nearNames.js";
import { clipped } from "../../common/text.js";
import { isFormOf } from "../../common/verbForms.js";
import { oneLine } from "../../common/errors.js";
import { answerValues, type AnswerValue } from "../../plans/grounding/answerValues.js";
import { reservationsOf, type Reservation } from "../../plans/grounding/reservations.js";
import { knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { leavesOf } from "../../plans/grounding/valueText.js";
import {
  asksForChange,
  asksForCount,
  denies,
  deniesExistence,
  saysFinished,
  saysMeaning,
  sentencesOf,
  speaksOfAll,
  speaksOfPart,
} from "../../plans/grounding/words.js";
import { numbersIn } from "../../plans/grounding/writtenValues.js";
import type { Call, GraphState } from "../../state/state.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { isOutcomeUnknown } from "../../tools/calls/engine/callOutcome.js";
import type { ToolRecord } from "../../tools/tool.js";
import { wholeResult } from "../kit/stage.js";
import { callInWords } from "./callTexts.js";
import { type RunTools, gapsIn, isSaidToWrite, isWrite } from "./deeds.js";
import { verbOf } from "./deedSentence.js";

/** How an answer does not agree with what its calls did. */
export interface Contradiction {
  /**
   * `unsaid`: a result says itself that it was not done in full, and the answer does not · `incomplete`: the answer speaks
   * of all that there is, and a look-up gave a part · `unmade`: the answer speaks of what no call has done.
   */
  kind: "unsaid" | "incomplete" | "unmade";
  /** A sentence for the model and the user, without a full stop. */
  text: string;
}

interface Told {
  answer: string;
  request: string;
  /** Sentences of the answer that deny nothing. */
  claims: string;
  calls: readonly Call[];
  writes: readonly Call[];
  reads: readonly Call[];
  tools: RunTools;
  state: GraphState;
}

/**
 * How an answer contradicts the calls of its run, by rules that know shapes, values and a table of words. Where only the
 * meaning of words could tell, the answer stands, and the receipt says beside it what was done.
 */
export function contradictionsIn(
  answer: string,
  state: GraphState,
  tools: RunTools,
): Contradiction[] {
  const calls = state.calls.filter(({ error, refused }) => error === undefined && !refused);
  const told: Told = {
    answer,
    request: state.run.request,
    claims: sentencesOf(answer)
      .filter((sentence) => !denies(sentence))
      .join("\n"),
    calls,
    writes: calls.filter((call) => isWrite(call, tools)),
    reads: calls.filter((call) => !isWrite(call, tools)),
    tools,
    state,
  };
  return [...unsaid(told), ...incomplete(told), ...failedLookUps(told), ...unmade(told)];
}

/** What the results of writes say of themselves, and the answer does not. */
function unsaid({ answer, request, writes, tools }: Told): Contradiction[] {
  return writes.flatMap((call): Contradiction[] => {
    const name = tools.get(call.tool)?.name ?? call.tool;
    const given = `${request} ${leavesOf(call.args).join(" ")}`;
    const own = [...nameWords(name), ...wordsOf(given).trim().split(" ")];
    const open = reservationsOf(wholeResult(call), { name, args: call.args }).filter(
      (one) =>
        (!one.isUsual || (one.meaning === "later" && saysFinished(answer, given))) &&
        !isSaid(one, { answer, given, own }),
    );
    if (open.length === 0) return [];
    const text = `${callInWords(call)} says: ${open.map((one) => one.text).join(", ")}`;
    return [{ kind: "unsaid", text: clipped(text, LONGEST) }];
  });
}

const LONGEST = 400;

/** By a value that only the result can have given, or in words. A draft takes words of its own: what was not sent, was. */
function isSaid(
  { meaning, values }: Reservation,
  { answer, given, own: words }: { answer: string; given: string; own: readonly string[] },
): boolean {
  const said = wordsOf(answer);
  const known = wordsOf(given);
  const own = values.map(wordsOf).filter((value) => value.trim() && !known.includes(value));
  if (own.some((value) => said.includes(value))) return true;
  const isNamed = (one: typeof meaning) => saysMeaning(answer, one, words);
  if (isNamed(meaning) || (meaning === "part" && isNamed("not"))) return true;
  return meaning !== "later" && denies(answer);
}

/** Counts, sums, extremes and denials that rest on a part of what there is. */
function incomplete(told: Told): Contradiction[] {
  const { answer, reads, calls, request } = told;
  const gaps = gapsIn(reads);
  if (gaps.size === 0) return [];
  const given = knownIn({ texts: [request], values: calls.map(wholeResult) });
  const leaves = new Set(
    calls.flatMap((call) => contentsOf(wholeResult(call)).map((leaf) => Math.abs(Number(leaf)))),
  );
  const most = Math.max(...[...gaps.values()].map((gap) => gap.given ?? 0));
  const isCount = (value: number) => asksForCount(request) && value <= most;
  const isKnown = (value: number, written: string) =>
    leaves.has(value) || given.said.has(value) || given.words.includes(wordsOf(written));
  // "How much less is INV-3 than INV-9?" takes these two.
  const isAboutNamed = answerValues(request).some(
    ({ kind, written }) => kind === "id" && given.words.includes(wordsOf(written)),
  );
  const isCounted = numbersIn(answer).some(
    ({ value, written }) => isCount(value) || (!isAboutNamed && !isKnown(value, written)),
  );
  const isWhole = speaksOfAll(answer) || (speaksOfAll(request) && answer.trim() !== "");
  if (!isCounted && !deniesExistence(answer) && !isWhole) return [];
  return [...gaps].flatMap(([call, { text, total }]): Contradiction[] => {
    if (speaksOfPart(answer) || (total !== undefined && answer.includes(String(total)))) return [];
    const says = `${callInWords(call)} is incomplete: ${text}`;
    return [{ kind: "incomplete", text: clipped(says, LONGEST) }];
  });
}

/** The values of a result, without the numbers that tell of its pages. */
function contentsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(contentsOf);
  if (!isPlainObject(value)) return [value];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "number" && PAGE_NUMBER.test(key) ? [] : contentsOf(inner),
  );
}

const PAGE_NUMBER =
  /^(?:page|pages|limit|offset|skip|size|(?:per|current|total|last)_?pages?|page_?(?:size|count|number)|perPage|currentPage|totalPages|pageSize|pageNumber)$/;

/** What was looked up in vain, and the answer speaks of as if it had been found. */
function failedLookUps({ claims, calls, state, tools }: Told): Contradiction[] {
  const said = wordsOf(claims);
  const known = calls
    .map((call) => wordsOf([call.args, wholeResult(call)].flatMap(leavesOf).join(" ")))
    .join(" ");
  return state.calls.flatMap((call): Contradiction[] => {
    const { error, refused, args } = call;
    if (error === undefined || refused || isWrite(call, tools)) return [];
    const keys = leavesOf(args).flatMap((leaf) => (typeof leaf === "string" ? wordsOf(leaf) : []));
    const isClaimed = keys.some(
      (key) => key.trim().length > 1 && said.includes(key) && !known.includes(key),
    );
    const text = `${callInWords(call)} failed: ${oneLine(error)}`;
    return isClaimed ? [{ kind: "unmade", text: clipped(text, LONGEST) }] : [];
  });
}

/** What the request names, the answer claims and no call has touched; or a change that was asked for, and none was made. */
function unmade(told: Told): Contradiction[] {
  const untouched = untouchedValues(told);
  if (untouched.length > 0) {
    const names = untouched.map(({ written }) => written.trim());
    const touches = told.writes.length > 0 ? "changed anything for" : "touched";
    return [{ kind: "unmade", text: `No call has ${touches} ${[...new Set(names)].join(", ")}` }];
  }
  return claimsChange(told) ? [{ kind: "unmade", text: NOTHING_CHANGED }] : [];
}

const NOTHING_CHANGED = "Nothing was changed: no call that changes something was made";

/**
 * Values that the request names and the answer claims something of, and no call has. Of several that the request names
 * together, none can be left out if another was acted on, even if something was read about it.
 */
function untouchedValues({ claims, request, calls, writes, reads, state }: Told): AnswerValue[] {
  const asked = answerValues(request);
  // What a person took out is told as such.
  const declined = (state.program?.declined ?? []).map(({ args }) => args);
  // A person is looked up by name, and written about by id.
  const written = new Set(writes.flatMap(({ args }) => leavesOf(args)));
  const lookedUp = reads
    .filter((call) =>
      leavesOf(wholeResult(call)).some((leaf) => typeof leaf === "string" && written.has(leaf)),
    )
    .map(({ args }) => args);
  const untouched = (values: AnswerValue[], by: readonly Call[]) => {
    const data = [
      ...declined,
      ...lookedUp,
      ...by.flatMap((call) => [call.args, wholeResult(call)]),
    ];
    const known = knownIn({ texts: [], values: data });
    const open = new Set(
      ungroundedValues(request, { ...known, hasNames: true }).map(({ start }) => start),
    );
    return values.filter(({ start }) => open.has(start));
  };
  const isClaimed = ({ written }: AnswerValue) => wordsOf(claims).includes(wordsOf(written));
  const named = asked.filter(isClaimed);
  const addressed = named.filter(({ kind }) => kind === "id" || kind === "link");
  const amounts = named.filter((value) => value.kind === "number" && isAmount(value.value));
  const left = untouched(named, writes);
  const isActedOn = (value: AnswerValue) => asked.includes(value) && !left.includes(value);
  const beside = left.filter((value) =>
    asked.some((other) => isActedOn(other) && areNamedTogether(value, other, request)),
  );
  const paid = amounts.some((value) => !left.includes(value)) ? untouched(amounts, calls) : [];
  const found = calls.length > 0 ? untouched(addressed, calls) : [];
  const all = [...found, ...(writes.length > 0 ? [...beside, ...paid] : [])];
  return all.filter((value, at) => all.indexOf(value) === at);
}

/** Small whole numbers count things. */
function isAmount(value: number): boolean {
  return value >= 20 || !Number.isInteger(value);
}

/** "ISS-3 and ISS-7", "Lena, Omar", "ISS-3 and issue ISS-7" */
function areNamedTogether(one: AnswerValue, other: AnswerValue, text: string): boolean {
  if (one.kind !== other.kind) return false;
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  const between = text.slice(first.start + first.written.length, second.start);
  return TOGETHER.test(between);
}

const TOGETHER =
  /^(?:[\s\p{L}]{0,20})?\s*(?:[,;/&+、，]|\b(?:and|or|und|oder|sowie|et|ou|y|e|o|i|och|og|en)\b|和|と|及)\s*(?:(?:and|und|et|y|e|also|the|for|to)\s+)*(?:\p{L}+\s+){0,1}$/iu;

/** A change was asked for, none was made, and the answer does not deny one. */
function claimsChange({ answer, request, writes, calls, tools, state }: Told): boolean {
  const isUnderWay = state.calls.some(
    ({ error }) => error !== undefined && isOutcomeUnknown(error),
  );
  if (writes.length > 0 || state.edits.length > 0 || isUnderWay || denies(answer)) return false;
  // "Closed 0 tickets."
  if (numbersIn(answer).some(({ value }) => value === 0)) return false;
  const writing = [...tools.values()].filter(isSaidToWrite);
  if (writing.length === 0) return false;
  if (asksForChange(request) || isPlannedWrite(state, writing)) return true;
  const found = wordsOf(calls.map((call) => JSON.stringify(wholeResult(call)) ?? "").join(" "));
  const asked = wordsOf(request).trim().split(" ");
  const said = wordsOf(answer).trim().split(" ");
  const isNew = (word: string) => !asked.includes(word) && !found.includes(` ${word} `);
  return writing.some((tool) => {
    const verb = verbOf(tool);
    if (verb === undefined || !asked.some((word) => isFormOf(word, verb))) return false;
    return said.some((word) => isNew(word) && isFormOf(word, verb));
  });
}

/** Whether the program of the run has a write that it never came to. */
function isPlannedWrite({ program }: GraphState, writing: readonly ToolRecord[]): boolean {
  if (!program) return false;
  const code = new Set(program.code.match(/[\p{L}\p{N}_$]+(?=\s*\()/gu));
  return writing.some(({ name }) => code.has(name) || code.has(nameWords(name).join("_")));
}
