import { parseJson } from "../../common/jsonInText.js";
import { wordsOf } from "../../common/nearNames.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { isPlainObject } from "../steps/references.js";

/** What a look-up did not give. */
export interface Gap {
  /** "3 of 240", "truncated", "more pages follow" */
  text: string;
  /** How many things it gave, and how many there are; absent where it does not say. */
  given?: number;
  total?: number;
}

/** Why the result of a look-up is not all there is, as far as it says so by its shape; undefined if it seems whole. */
export function gapOf(result: unknown): Gap | undefined {
  const data = typeof result === "string" ? (parseJson(result) ?? result) : result;
  if (typeof data === "string") return CUT_TEXT.test(data) ? { text: "truncated" } : undefined;
  return gapIn(data, 0);
}

const CUT_TEXT =
  /\[(?:[^\]\n]{0,40} )?(?:truncated|cut)\b[^\]\n]{0,80}\]|…\s*\(truncated\)|\band \d+ (?:more|others)\b(?!.*\n)|\bshowing (?:the first )?\d+(?:\s*(?:-|–|to)\s*\d+)? of \d+|\bpage 1 of (?!1\b)\d+/i;

const DEEPEST = 2;

function gapIn(data: unknown, depth: number): Gap | undefined {
  if (!isPlainObject(data)) return undefined;
  const entries = pagingIn(data);
  const lists = entries.flatMap(([, value]) => (Array.isArray(value) ? [value as unknown[]] : []));
  const given = lists.length === 1 ? lists[0]?.length : undefined;
  const total = totalIn(entries, lists[0]);
  const follows = entries.filter(([key]) => FOLLOWS.test(key));
  const isCut = entries.some(([key, value]) => value === true && CUT.test(key));
  const isShort = entries.some(
    ([key, value]) => value === false && (lists.length > 0 ? LAST : COMPLETE).test(key),
  );
  const hasMore =
    follows.some(([, value]) => isThere(value)) ||
    isBeforeLastPage(Object.fromEntries(entries)) ||
    (lists.length > 0 && entries.some(([key, value]) => REST.test(key) && isThere(value)));
  const counts = { ...(given !== undefined && { given }), ...(total !== undefined && { total }) };
  // A source that says whether more follows is believed.
  const isLess = follows.length === 0 && given !== undefined && total !== undefined;
  if (hasMore || (isLess && given < total)) {
    const text = total === undefined || given === undefined ? MORE : `${given} of ${total}`;
    return { text, ...counts };
  }
  if (isCut || isShort) return { text: isCut ? "truncated" : "incomplete", ...counts };
  if (depth >= DEEPEST) return undefined;
  const inner = entries.map(([, value]) => gapIn(value, depth + 1)).find(Boolean);
  return inner && given !== undefined && inner.given === undefined ? { ...inner, given } : inner;
}

/** The fields of a result, with those of the objects that tell of its pages. */
function pagingIn(data: unknown): [string, unknown][] {
  if (!isPlainObject(data)) return [];
  const entries = Object.entries(data);
  const about = entries.flatMap(([key, value]) =>
    ABOUT_PAGES.test(key) && isPlainObject(value) ? Object.entries(value) : [],
  );
  return [...entries, ...about];
}

const MORE = "more pages follow";

/** Objects that tell of the pages of the list beside them. */
const ABOUT_PAGES =
  /^(?:_?meta(?:data)?|paging|pagination|page_?info|pageInfo|response_?metadata|responseMetadata|_?links|page|cursors?)$/;

const REST = /^(?:remaining|remaining_?count|remainingCount|more_?count|moreCount|omitted|cursor)$/;

/** A text, a number or yes: null, false and nothing mean that this is the last page. */
function isThere(value: unknown): boolean {
  return value !== null && value !== undefined && value !== false && value !== "" && value !== 0;
}

const FOLLOWS =
  /^(?:has_?more(?:_?[a-z]+)?|hasMore(?:[A-Z][a-z]+)?|has_?next(?:_?page)?|hasNext(?:Page)?|more|more_?available|moreAvailable|more_?results|moreResults|next|next_?(?:page|cursor|token|link|url|offset|page_token|page_url)|next(?:Page|Cursor|Token|Link|Url|Offset|PageToken|PageUrl|RecordsUrl)|@odata\.nextLink|continuation(?:_?token|Token)?)$/;

const CUT =
  /^(?:is_?)?(?:truncated|partial|incomplete)(?:_results)?$|^is(?:Truncated|Partial|Incomplete)$|^incompleteResults$/;

const COMPLETE = /^(?:is_?)?complete$|^isComplete$/;

/** The same, where it stands beside a list. */
const LAST =
  /^(?:is_?)?(?:complete|last|last_?page|final|end|done|exhausted)$|^is(?:Complete|Last|LastPage|Final)$|^lastPage$/;

const TOTAL =
  /^(?:total|total_?(?:count|results|items|records|hits|elements|size)|total(?:Count|Results|Items|Records|Hits|Elements|Size)|count|num_?found|numFound|found)$/;

/** How many there are of what is listed. A sum of what the items cost is not a number of items. */
function totalIn(entries: readonly [string, unknown][], list: readonly unknown[] | undefined) {
  const priced = list?.some((item) => isPlainObject(item) && Object.keys(item).some(isPrice));
  const [, total] = entries.find(([key]) => TOTAL.test(key)) ?? [];
  const isCount = typeof total === "number" && Number.isInteger(total) && total >= 0;
  const hasPaging = entries.some(([key]) => FOLLOWS.test(key));
  return isCount && (hasPaging || !priced) ? total : undefined;
}

function isPrice(key: string): boolean {
  return /price|amount|cost|quantity|qty|subtotal|total/i.test(key);
}

function isBeforeLastPage(data: Record<string, unknown>): boolean {
  const firstOf = (...keys: string[]) =>
    keys.map((key) => data[key]).find((value) => value !== undefined);
  const page = firstOf("page", "current_page", "currentPage", "page_number", "pageNumber");
  const pages = firstOf(
    "pages",
    "total_pages",
    "totalPages",
    "page_count",
    "pageCount",
    "last_page",
    "lastPage",
  );
  return typeof page === "number" && typeof pages === "number" && page < pages;
}

/** Arguments that say where a page of a listing starts. */
const START =
  /^(?:page|cursor|offset|skip|start|after|next|token|from|continuation)$|(?:page|cursor|token|offset)$/i;

/** Whether an argument says where a page starts, not what is listed. */
export function startsPage(parameter: string): boolean {
  return START.test(parameter);
}

/**
 * How a listing of which a call gave a part is read on: what to pass in its arguments, as their names and those of what it
 * gave tell. Undefined if they do not.
 *
 * @example "pass its next_cursor as cursor, until it is empty"
 */
export function wayOn({ properties }: JsonSchema, result: unknown): string | undefined {
  const all = Object.entries(isPlainObject(properties) ? properties : {});
  const starts = all.filter(([name]) => startsPage(name));
  const counted = starts.filter(([, schema]) => isNumber(schema));
  const next = pagingIn(result).filter(
    ([key, value]) => NAMES_NEXT.test(key) && isPlace(value) && !COUNT.test(key),
  );
  for (const [key, value] of next) {
    const fitting = starts.filter(([, schema]) => typeof value === "number" || !isNumber(schema));
    const same = fitting.find(([name]) => stem(name) === stem(key));
    const [only] = same ? [same] : fitting.length === 1 ? fitting : [];
    if (only) return `pass its ${key} as ${only[0]}, until it is empty`;
  }
  const page = counted.find(([name]) => /page/i.test(name));
  if (page) return `raise ${page[0]} by one until nothing more follows`;
  const offset = counted.find(([name]) => /offset|skip|start|from/i.test(name));
  if (offset) return `set ${offset[0]} to how many it has given so far until nothing more follows`;
  const size = all.find(([name, schema]) => SIZE.test(name) && isNumber(schema));
  return size && `set ${size[0]} higher`;
}

/** What a result names for its next page. */
const NAMES_NEXT = /^(?:next|end|continuation|cursor|scroll)/i;
const COUNT = /count|remaining/i;

/** Where a page starts, but for the address of one, which no argument takes. */
function isPlace(value: unknown): boolean {
  return (
    typeof value === "number" || (typeof value === "string" && /^(?!https?:|\/).+/s.test(value))
  );
}

const SIZE = /^(?:limit|top|first|count|(?:page|max)_?size|per_?page|max_?results|num_?results)$/i;

/** "nextPageToken" and "page_token", "endCursor" and "cursor" */
function stem(name: string): string {
  return wordsOf(name)
    .filter((word) => !/^(?:next|end|start|starting|the)$/.test(word))
    .join(" ");
}

function isNumber(schema: unknown): boolean {
  return isPlainObject(schema) && /^(?:number|integer)$/.test(String(schema["type"]));
}
