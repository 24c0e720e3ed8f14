import { wordsOf as nameWords } from "../../common/nearNames.js";
import { clipped } from "../../common/text.js";
import { oneLine } from "../../common/errors.js";
import { answerValues, numbersIn } from "../../plans/grounding/writtenValues.js";
import { reservationsOf, type Reservation } from "../../plans/grounding/reservations.js";
import { wayOn } from "../../plans/grounding/incompleteness.js";
import { knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { leavesOf } from "../../plans/grounding/valueText.js";
import {
  COUNTING,
  denies,
  deniesExistence,
  saysFinished,
  saysMeaning,
  sentencesOf,
  WHOLE,
  PART,
} from "../../plans/grounding/words.js";
import type { Call, GraphState } from "../../state/state.js";
import { isPlainObject } from "../../plans/steps/references.js";
import { wholeResult } from "../kit/stage.js";
import { callInWords } from "./callTexts.js";
import { type RunTools, isWrite, gapsIn } from "./deeds.js";
import { type Told, unmade } from "./unmade.js";
import { hasSucceeded } from "../../state/calls.js";

/** How an answer does not agree with what its calls did. */
export interface Contradiction {
  /**
   * `unsaid`: a result says itself that it was not done in full, and the answer does not · `incomplete`: the answer speaks
   * of all that there is, and a look-up gave a part · `miscounted`: a number of the answer is the length of a text ·
   * `unmade`: the answer speaks of what no call has done.
   */
  kind: "unsaid" | "incomplete" | "miscounted" | "unmade";
  /** A sentence for the model and the user, without a full stop. */
  text: string;
  /** What a program does instead, in a sentence, and how many more calls that takes, if it is known. */
  on?: { how: string; calls: number };
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
  const calls = state.calls.filter(hasSucceeded);
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
  return [
    ...unsaid(told),
    ...incomplete(told),
    ...miscounted(told),
    ...failedLookUps(told),
    ...unmadeIn(told),
  ];
}

/**
 * What the results of writes say of themselves, and the answer does not. Of equal calls the best counts: what is there
 * already is not made again, and the result says so.
 */
function unsaid({ answer, request, writes, tools }: Told): Contradiction[] {
  const open = new Map<string, Contradiction[]>();
  for (const call of writes) {
    const own = unsaidBy(call);
    const key = JSON.stringify([call.tool, call.args]);
    const others = open.get(key);
    if (others === undefined || own.length < others.length) open.set(key, own);
  }
  return [...open.values()].flat();

  function unsaidBy(call: Call): Contradiction[] {
    const name = tools.get(call.tool)?.name ?? call.tool;
    const given = `${request} ${leavesOf(call.args).join(" ")}`;
    const own = [...nameWords(name), ...wordsOf(given).trim().split(" ")];
    const reservations = reservationsOf(wholeResult(call), { name, args: call.args }).filter(
      (one) =>
        (!one.isUsual || (one.meaning === "later" && saysFinished(answer, given))) &&
        !isSaid(one, { answer, given, own }),
    );
    if (reservations.length === 0) return [];
    const text = `${callInWords(call)} says: ${reservations.map((one) => one.text).join(", ")}`;
    return [{ kind: "unsaid", text: clipped(text, LONGEST) }];
  }
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
function incomplete({ answer, reads, calls, request, tools }: Told): Contradiction[] {
  const gaps = gapsIn(reads);
  if (gaps.size === 0) return [];
  const given = knownIn({ texts: [request], values: calls.map(wholeResult) });
  const leaves = new Set(
    calls.flatMap((call) =>
      leavesBesidePages(wholeResult(call)).map((leaf) => Math.abs(Number(leaf))),
    ),
  );
  const most = Math.max(...[...gaps.values()].map((gap) => gap.given ?? 0));
  const isCount = (value: number) =>
    COUNTING.test(request) && (value === most || (value < most && !leaves.has(value)));
  const isKnown = (value: number, written: string) =>
    leaves.has(value) || given.said.has(value) || given.words.includes(wordsOf(written));
  // "How much less is INV-3 than INV-9?" takes these two.
  const isAboutNamed = answerValues(request).some(
    ({ kind, written }) => kind === "id" && given.words.includes(wordsOf(written)),
  );
  const isCounted = numbersIn(answer).some(
    ({ value, written }) => isCount(value) || (!isAboutNamed && !isKnown(value, written)),
  );
  const isWhole = WHOLE.test(answer) || (WHOLE.test(request) && answer.trim() !== "");
  if (!isCounted && !deniesExistence(answer) && !isWhole) return [];
  return [...gaps].flatMap(([call, { text, given: part = 0, total }]): Contradiction[] => {
    if (PART.test(answer) || (total !== undefined && answer.includes(String(total)))) return [];
    const says = `${callInWords(call)} is incomplete: ${text}`;
    const how = wayOn(tools.get(call.tool)?.parameters ?? {}, wholeResult(call));
    const pages = total === undefined || part === 0 ? 1 : Math.ceil(total / part);
    const on = how === undefined ? {} : { on: { how: `${READ_ON} ${how}.`, calls: pages } };
    return [{ kind: "incomplete", text: clipped(says, LONGEST), ...on }];
  });
}

const READ_ON = "Read the rest in a loop, and answer from all of it:";

/** Programs take `.length` of a listing that is one text, and tell its characters as the number of its items. */
function miscounted({ answer, request, reads, calls }: Told): Contradiction[] {
  if (ABOUT_LENGTH.test(`${request}\n${answer}`)) return [];
  const texts = reads.flatMap((call) =>
    leavesOf(wholeResult(call)).flatMap((leaf) =>
      typeof leaf === "string" && leaf.length >= SHORTEST_LISTING ? [{ call, leaf }] : [],
    ),
  );
  const lengths = numbersIn(answer).flatMap(({ value, written }) => {
    const text = texts.find(({ leaf }) => leaf.length === value);
    return text ? [{ value, written, call: text.call }] : [];
  });
  if (lengths.length === 0) return [];
  const known = knownIn({ texts: [request], values: calls.map(wholeResult) });
  return lengths.flatMap(({ value, written, call }): Contradiction[] => {
    if (known.said.has(value) || known.words.includes(wordsOf(written))) return [];
    const says = `${written} is the number of characters of the text that ${callInWords(call)} gave`;
    const how =
      "Split the text into its lines or items and count these, or have it read by look().";
    return [{ kind: "miscounted", text: clipped(says, LONGEST), on: { how, calls: 0 } }];
  });
}

/** The length of a shorter text may be the number of something by chance. */
const SHORTEST_LISTING = 20;

const ABOUT_LENGTH = /\b(?:characters?|letters?|bytes?|length|long|size|zeichen|lang|länge)\b/i;

/** The values of a result, without the numbers that tell of its pages. */
function leavesBesidePages(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(leavesBesidePages);
  if (!isPlainObject(value)) return [value];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === "number" && PAGE_NUMBER.test(key) ? [] : leavesBesidePages(inner),
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

function unmadeIn(told: Told): Contradiction[] {
  const text = unmade(told);
  return text === undefined ? [] : [{ kind: "unmade", text }];
}
