import { wordsOf as nameWords } from "../../common/nearNames.js";
import { isFormOf } from "../../common/verbForms.js";
import { answerValues, type AnswerValue, numbersIn } from "../../plans/grounding/writtenValues.js";
import { knownIn, wordsOf } from "../../plans/grounding/sources.js";
import { ungroundedValues } from "../../plans/grounding/ungrounded.js";
import { leavesOf } from "../../plans/grounding/valueText.js";
import { asksForChange, denies } from "../../plans/grounding/words.js";
import type { Call, GraphState } from "../../state/state.js";
import { isOutcomeUnknown } from "../../tools/calls/engine/callOutcome.js";
import type { ToolRecord } from "../../tools/tool.js";
import { wholeResult } from "../kit/stage.js";
import { type RunTools, isSaidToWrite } from "./deeds.js";
import { verbOf } from "./deedSentence.js";

export interface Told {
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

/** What the request names, the answer claims and no call has touched; or a change that was asked for, and none was made. */
export function unmade(told: Told): string | undefined {
  const untouched = untouchedValues(told);
  if (untouched.length > 0) {
    const names = untouched.map(({ written }) => written.trim());
    const touches = told.writes.length > 0 ? "changed anything for" : "touched";
    return `No call has ${touches} ${[...new Set(names)].join(", ")}`;
  }
  const unused = unusedQuotations(told);
  if (unused.length > 0) return `No call has used ${unused.join(", ")} of the request`;
  return claimsChange(told) ? NOTHING_CHANGED : undefined;
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
  // Small whole numbers count things.
  const amounts = named.filter(
    (value) => value.kind === "number" && (value.value >= 20 || !Number.isInteger(value.value)),
  );
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

/**
 * Texts that the request of a run with writes quotes, and of which calls and results have half at most: a message of a
 * commit that was not made, where another tool was taken for it. It is enough if the answer has what it was to say, or a
 * single word, which calls may spell otherwise ("urgent", 1); and of alternatives, that one was used.
 */
function unusedQuotations({ answer, request, calls, writes, state }: Told): string[] {
  if (writes.length === 0) return [];
  const data = calls.flatMap((call) => [call.args, wholeResult(call)]).flatMap(leavesOf);
  const used = wordsOf(data.join(" "));
  const said = wordsOf([answer, state.program?.code ?? ""].join(" "));
  const quoted = Array.from(request.matchAll(QUOTATION), ([, asked, text = ""]) => {
    const words = wordsOf(text).trim().split(" ").filter(Boolean);
    const mayBeSaid = asked !== undefined || words.length === 1;
    const isTold = words.length > 0 && TELLING.test(text);
    const isUsed = !isTold || isMostlyIn(mayBeSaid ? used + said : used, text);
    return { text, isUsed };
  });
  const unused = quoted.filter(({ isUsed }) => !isUsed).map(({ text }) => text);
  return CHOICE.test(request) && unused.length < quoted.length ? [] : unused;
}

/** What stands between alternatives. */
const CHOICE = /\b(?:if|else|otherwise|unless|or|wenn|falls|sonst|oder|si|sinon|sino|ou|o)\b/iu;

/** Whether more than half of the words of a text are in what is said, which has words only (`wordsOf`). */
export function isMostlyIn(said: string, text: string): boolean {
  const words = wordsOf(text).trim().split(" ").filter(Boolean);
  return words.filter((word) => said.includes(` ${word} `)).length * 2 > words.length;
}

/** A quotation that calls must have, with its marks: a letter may be spelt out, and a long text cut. */
const TELLING = /^.{4,202}$/s;

/** A quotation, after the word that says that it is to be said if it is. */
const QUOTATION =
  /(\b(?:say|answer|reply|respond|report|return)(?: (?:with|by|just|only|that)){0,2}:? )?("[^"]*"|“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»)/giu;

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
