import { parseJson } from "../../common/jsonInText.js";
import { wordsOf } from "../../common/nearNames.js";
import { clipped } from "../../common/text.js";
import { isFormOf } from "../../common/verbForms.js";
import { isPlainObject } from "../steps/references.js";
import { meaningOf, type ResultMeaning } from "./words.js";
import { leavesOf, valueText } from "./valueText.js";

/** What a result says about itself: that something was not, not yet or only partly done. */
export interface Reservation {
  meaning: ResultMeaning;
  /** "status partial", "failed /tmp/b.txt, permission denied" */
  text: string;
  /** The status itself, or the values that tell of it: an answer with one of them says so. */
  values: string[];
  /** It may be how such a thing begins or what the thing itself is like, not how the call went: a new task is pending. */
  isUsual: boolean;
}

interface WriteCall {
  name: string;
  args: Record<string, unknown>;
}

/** The reservations of a write's result, by its shape and by the table of words. */
export function reservationsOf(result: unknown, { name, args }: WriteCall): Reservation[] {
  const data = typeof result === "string" ? (parseJson(result) ?? result) : result;
  const given = new Set(leavesOf(args).map(String));
  const call = { verbs: wordsOf(name), given, args };
  if (typeof data === "string") return ofText(data, call);
  return unique([...ofValue(data, call, 0), ...lessThanAsked(data, call)]);
}

interface Reading {
  verbs: readonly string[];
  given: ReadonlySet<string>;
  args: Record<string, unknown>;
}

const DEEPEST = 3;

/** Longer texts are contents, not reports. */
const LONGEST_REPORT = 300;

const LONGEST = 160;

function ofText(text: string, call: Reading): Reservation[] {
  if (text.length > LONGEST_REPORT) return [];
  const own = [...call.given].reduce((rest, value) => rest.replaceAll(value, " "), text);
  if (/^\s*(?:error|failed|failure)\b/i.test(own))
    return [{ meaning: "not", text: clipped(text, LONGEST), values: [text], isUsual: false }];
  return statusOf("", own, call, false).map((one) => ({ ...one, text: clipped(text, LONGEST) }));
}

function ofValue(value: unknown, call: Reading, depth: number): Reservation[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return ofList(value, call, depth);
  if (!isPlainObject(value)) return [];
  const entries = Object.entries(value);
  // An object with more fields is the thing itself rather than a report.
  const isThing = entries.length > 4;
  const why = entries.flatMap(([key, inner]) =>
    REASONS.test(key) && typeof inner === "string" && inner ? [inner] : [],
  );
  return entries.flatMap(([key, inner]): Reservation[] => {
    if (typeof inner === "boolean") return ofTruth(key, inner, { call, why });
    if (SUCCESS.test(key) && NO.test(String(inner))) return ofTruth(key, false, { call, why });
    if (typeof inner === "number" && HTTP.test(key)) return ofHttp(key, inner, { call, isThing });
    if (LEFT_OUT.test(key) || (!isThing && LEFT_THINGS.test(key))) return leftOut(key, inner);
    if (typeof inner === "string" && STATUS.test(key)) {
      return statusOf(`${wordsOf(key).join(" ")} `, inner, call, isThing).map((one) =>
        why.length > 0 ? { ...one, text: `${one.text}, ${clipped(why.join(", "), LONGEST)}` } : one,
      );
    }
    return ofValue(inner, call, depth + 1);
  });
}

/** What became of each thing: those with a reservation are counted. */
function ofList(list: readonly unknown[], call: Reading, depth: number): Reservation[] {
  const found = list.map((item) => ofValue(item, call, depth + 1)[0]);
  const [first, ...others] = found.flatMap((one) => one ?? []);
  if (!first) return [];
  const values = [first, ...others].flatMap((one) => one.values);
  return [{ ...first, text: `${others.length + 1} of ${list.length}: ${first.text}`, values }];
}

const STATUS = /(?:^|_)(?:status|state|outcome|result|phase)$|(?:Status|State|Outcome)$/;

const REASONS = /^(?:reason|message|detail|details|note|error|errorMessage|error_message|why)$/;

/** What was not dealt with; a count above 0, a text, or a list with something in it. */
const LEFT_OUT =
  /^(?:failed|failures?|errors?|error_?message|errorMessage|skipped|rejected|denied|declined|refused|ignored|missing|unprocessed|invalid|not_[a-z]+|notfound|not[A-Z][a-z]+|unmatched|conflicts?|bounced|undelivered|undeliverable|unreachable|unresolved|dropped|blocked|omitted|excluded|unchanged)(?:_?(?:count|items|ids)|Count|Items|Ids)?$/;

/** The same, with what it was: "failedRecipients", "skipped_rows". */
const LEFT_THINGS =
  /^(?:failed|skipped|rejected|ignored|missing|unprocessed|invalid|error)(?:_(?!attempts|retries)[a-z]+s|(?!Attempts|Retries)[A-Z]\w*s)$/;

const HTTP = /^(?:http_?)?(?:status|status_?code|code)$|^http_?code$/i;

/** 202: accepted, to be done later, as is usual for what is sent; 400 and above: not done. */
function ofHttp(
  key: string,
  code: number,
  { call, isThing }: { call: Reading; isThing: boolean },
): Reservation[] {
  const meaning = code === 202 ? "later" : code >= 400 && code < 600 ? "not" : undefined;
  if (meaning === undefined || (key === "code" && isThing)) return [];
  const [verb = ""] = call.verbs;
  const isUsual = meaning === "later" && (BEGINS.has(verb) || SENDS.has(verb));
  const told = meaning === "later" ? ", accepted but not done yet" : "";
  const text = `${wordsOf(key).join(" ")} ${code}${told}`;
  return [{ meaning, text, values: [String(code)], isUsual }];
}

const SENDS: ReadonlySet<string> = new Set(["send", "resend", "mail", "email", "notify", "reply"]);

const SUCCESS =
  /^(?:ok|success|successful|succeeded|is_?success|isSuccess|accepted|applied|processed|saved|persisted|delivered|confirmed)$/;

/** No, where yes and no are not written as such. */
const NO = /^(?:0|no|n|false|error|failed)$/i;

const TRUE_MEANS: readonly [RegExp, ResultMeaning][] = [
  [/^(?:error|failed|is_?error|isError|rejected|blocked|skipped)$/, "not"],
  [/^(?:partial|is_?partial|isPartial|incomplete|truncated)$/, "part"],
  [/^(?:draft|is_?draft|isDraft|dry_?run|dryRun|simulated|preview)$/, "draft"],
  [/^(?:pending|queued|deferred|waitlisted|scheduled|on_?hold|onHold)$/, "later"],
];

function ofTruth(
  key: string,
  value: boolean,
  { call, why }: { call: Reading; why: readonly string[] },
): Reservation[] {
  const told = why.length > 0 ? `, ${clipped(why.join(", "), LONGEST)}` : "";
  const text = `${wordsOf(key).join(" ")} ${value ? "yes" : "no"}${told}`;
  const one = (meaning: ResultMeaning) => [{ meaning, text, values: [...why], isUsual: false }];
  if (value) {
    const [, meaning] = TRUE_MEANS.find(([pattern]) => pattern.test(key)) ?? [];
    return meaning === undefined ? [] : one(meaning);
  }
  const isOwn = wordsOf(key).some((word) => call.verbs.some((verb) => isFormOf(word, verb)));
  return SUCCESS.test(key) || isOwn ? one("not") : [];
}

function leftOut(key: string, value: unknown): Reservation[] {
  const isEmpty =
    value === null ||
    value === "" ||
    value === 0 ||
    (Array.isArray(value) && value.length === 0) ||
    (isPlainObject(value) && Object.keys(value).length === 0);
  if (isEmpty) return [];
  const isCounted = typeof value === "number" || Array.isArray(value);
  const text = `${wordsOf(key).join(" ")} ${clipped(valueText(value), LONGEST)}`;
  const values = leavesOf(value).flatMap((leaf) => (typeof leaf === "string" ? leaf : []));
  return [{ meaning: isCounted ? "part" : "not", text, values, isUsual: false }];
}

/** A status that the table knows. What was given as an argument, or is what the tool does, is none. */
function statusOf(lead: string, status: string, call: Reading, isThing: boolean): Reservation[] {
  const meant = call.given.has(status) ? undefined : meaningOf(status);
  const [verb = ""] = call.verbs;
  const isOwn = wordsOf(status).every((word) => word === "back" || isFormOf(word, verb));
  if (!meant || (isOwn && meant.meaning !== "later")) return [];
  const { meaning } = meant;
  const isUsual =
    isOwn ||
    UNDER_WAY.test(status) ||
    (meaning === "later" && BEGINS.has(verb)) ||
    (TOUCHES.has(verb) && (isThing || meaning === "later" || meaning === "draft"));
  return [{ meaning, text: `${lead}${status}`, values: [status], isUsual }];
}

/** How what was started, deployed or resumed is from then on. */
const UNDER_WAY = /^(?:running|started)$/i;

/** What these verbs make begins as pending. */
const BEGINS: ReadonlySet<string> = new Set(
  "create add new open log make register file raise submit request propose apply invite schedule queue enqueue start launch trigger".split(
    " ",
  ),
);

/** What these verbs touch has a status of its own. */
const TOUCHES: ReadonlySet<string> = new Set(
  "update edit set assign unassign reassign rename move label tag untag comment change add modify patch link attach mark".split(
    " ",
  ),
);

/** Last words of the names of numbers that say which, not how many. */
const IDENTIFYING: ReadonlySet<string> = new Set(["id", "number", "no", "nr", "index", "page"]);

/** Where a result says how much was done, and that is less than the arguments ask for. */
function lessThanAsked(result: unknown, { verbs, args }: Reading): Reservation[] {
  if (!isPlainObject(result)) return [];
  const lists = Object.values(args).filter((value) => Array.isArray(value));
  const amounts = Object.entries(args).flatMap(([key, value]) =>
    typeof value === "number" && !IDENTIFYING.has(wordsOf(key).at(-1) ?? "") ? [value] : [],
  );
  const [list] = lists;
  const [amount] = amounts;
  const counts = Object.entries(result).filter(
    ([key, value]) => AFFECTED.test(key) && typeof value === "number",
  );
  const [none] = counts;
  if (none && counts.every(([, value]) => value === 0))
    return [
      { meaning: "not", text: `${wordsOf(none[0]).join(" ")} 0`, values: [], isUsual: false },
    ];
  return Object.entries(result).flatMap(([key, value]): Reservation[] => {
    if (!wordsOf(key).some((word) => verbs.some((verb) => isFormOf(word, verb)))) return [];
    const done = Array.isArray(value) ? value.length : value;
    const asked = lists.length === 1 ? list?.length : amounts.length === 1 ? amount : undefined;
    if (typeof done !== "number" || asked === undefined || done < 0 || done >= asked) return [];
    const text = `${key} ${done} of ${asked}`;
    return [{ meaning: "part", text, values: [String(done)], isUsual: false }];
  });
}

/** How many things a write has touched. */
const AFFECTED =
  /^(?:rows_?affected|(?:affected|modified|matched|changed|deleted|updated|inserted|upserted|removed)_?(?:count|rows)?)$/i;

function unique(found: readonly Reservation[]): Reservation[] {
  return found.filter(({ text }, at) => found.findIndex((one) => one.text === text) === at);
}
