import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { HttpOperation, HttpPaging } from "../../tool.js";
import { isJson } from "./mediaTypes.js";
import type { Operation } from "./operations.js";
import { merged, resolved } from "./plainSchema.js";
import { isDeepStrictEqual } from "node:util";

/** What one call for all pages may fetch. */
const MOST_PAGES = 50;
const MOST_ITEMS = 5000;
const MOST_CHARACTERS = 10_000_000;

/** The argument that asks for all pages. */
export const ALL_PAGES: Record<"all_pages", JsonSchema> = {
  all_pages: {
    type: "boolean",
    description: `true: all pages in one, up to ${MOST_PAGES} pages and ${MOST_ITEMS} items`,
  },
};

const CURSORS = /^(?:cursor|page_?token|next_?token|continuation_?token|after)$/i;
const NEXT_CURSORS =
  /^(?:(?:next|end)_?cursor|next_?page_?token|next_?token|continuation_?token)$/i;
/** Fields with the address of the next page, also further inside: `_links.next.href`. */
const NEXT_ADDRESSES = /^(?:next|(?:@odata\.)?next_?(?:page)?_?(?:link|url|uri))$/i;
const NUMBERS = /^page_?(?:number|num|no)?$/i;
const OFFSETS = /^\$?(?:offset|skip)$/i;

/** Usual names for the items of a page that contains other lists, too. */
const ITEMS = ["data", "items", "results", "values", "entries", "records"];

/**
 * How the pages of a list follow each other: by a cursor or address in the answer, by number, or by a `Link` header alone.
 *
 * @returns undefined if the result is not a list, or a list without pages
 */
export function pagingOf(
  { method, parameters, success }: Operation,
  { document, places }: { document: JsonSchema } & Pick<HttpOperation, "places">,
): HttpPaging | undefined {
  const [, answer] = Object.entries(success.content).find(([type]) => isJson(type)) ?? [];
  const shape = shapeOf(answer, document);
  const list = listIn(shape, document);
  if (method !== "GET" || !list || Object.hasOwn(places, "all_pages")) return undefined;
  const argumentLike = (pattern: RegExp) =>
    Object.entries(places).find(([, place]) => place.in === "query" && pattern.test(place.name));
  const [byCursor] = argumentLike(CURSORS) ?? [];
  const next = cursorIn(shape, document, NEXT_ADDRESSES);
  const cursor = cursorIn(shape, document, NEXT_CURSORS) ?? next;
  if (byCursor !== undefined && cursor !== undefined)
    return { argument: byCursor, cursor, ...list };
  const [byNumber, place] = argumentLike(NUMBERS) ?? argumentLike(OFFSETS) ?? [];
  // What is no address is the number.
  if (next !== undefined) return { ...(byNumber && { argument: byNumber }), cursor: next, ...list };
  const [byLast] = argumentLike(/^starting_?after(?:_?id)?$/i) ?? [];
  if (byLast !== undefined)
    return { argument: byLast, cursor: `${list.items ? `${list.items}.` : ""}-1.id`, ...list };
  if (byNumber === undefined) return success.headers.includes("link") ? list : undefined;
  const isOffset = OFFSETS.test(place?.name ?? "") && { isOffset: true as const };
  const known = parameters.find((each) => each.in === "query" && each.name === place?.name);
  const { default: usual, minimum } = shapeOf(known?.schema, document);
  const first = [usual, minimum].find((each) => typeof each === "number");
  return { argument: byNumber, ...isOffset, ...(first === undefined ? {} : { first }), ...list };
}

function shapeOf(schema: unknown, document: JsonSchema): JsonSchema {
  return merged(resolved(schema, document), { document });
}

function listIn(schema: JsonSchema, document: JsonSchema): Pick<HttpPaging, "items"> | undefined {
  if (isList(schema, document)) return {};
  const properties = Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {});
  const lists = properties.filter(([, each]) => isList(shapeOf(each, document), document));
  const names = lists.map(([name]) => name);
  const items = ITEMS.find((name) => names.includes(name)) ?? (names[1] ? undefined : names[0]);
  return items === undefined ? undefined : { items };
}

/** Of alternatives, all are lists, but for null. */
function isList({ anyOf, oneOf, ...schema }: JsonSchema, document: JsonSchema): boolean {
  const ways: unknown = anyOf ?? oneOf;
  if (!Array.isArray(ways)) return isArray(schema);
  const shapes = ways.map((way) => shapeOf(way, document));
  return shapes.some(isArray) && shapes.every((one) => isArray(one) || one.type === "null");
}

function isArray({ type, items }: JsonSchema): boolean {
  return [type].flat().includes("array") || (type === undefined && isSchema(items));
}

/** The path of such a field, or of the address in it (HAL's `href`), at the root of an answer or up to two levels below. */
function cursorIn(
  schema: JsonSchema,
  document: JsonSchema,
  names: RegExp,
  levels = 2,
): string | undefined {
  const properties = Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {});
  const shapes = properties.map(([name, each]) => [name, shapeOf(each, document)] as const);
  const isHere = ([name, { properties: inner }]: (typeof shapes)[number]) =>
    names.test(name) && (!isSchema(inner) || "href" in inner);
  const [here, shape = {}] = shapes.find(isHere) ?? [];
  if (here !== undefined) return shape["properties"] ? `${here}.href` : here;
  for (const [name, inner] of levels > 0 ? shapes : []) {
    // A place that only pages have, not one of their items.
    const isOfPages = levels === 2 || PAGING.test(name);
    const below = isOfPages ? cursorIn(inner, document, names, levels - 1) : undefined;
    if (below !== undefined) return `${name}.${below}`;
  }
  return undefined;
}

const PAGING = /pag(?:e|ing|ination)|links|cursors?$/i;

/** An answer that may be one of several pages. */
export interface Page {
  value: unknown;
  /** Address of the next page, if a `Link` header names one. */
  next?: string;
}

/** How all pages are fetched: with changed arguments, or at an address. */
interface Fetching {
  paging: HttpPaging;
  args: Record<string, unknown>;
  get: (request: { args: Record<string, unknown> } | { next: string }) => Promise<Page>;
}

/**
 * All pages of a list as one answer: the last page, with the items of all. Half a list would look like a whole one.
 *
 * @throws Error in one line when there is more than one call may fetch
 */
export async function allPages(fetching: Fetching): Promise<unknown> {
  const { items: name, argument } = fetching.paging;
  let all: unknown[] = [];
  let last: unknown;
  let [pages, characters] = [0, 0];
  for await (const { value } of pagesOf(fetching)) {
    const items = itemsOf(value, name);
    pages += 1;
    // The API answers otherwise than its document says.
    if (!items && pages === 1) return value;
    characters += JSON.stringify(items ?? []).length;
    all = [...all, ...(items ?? [])];
    last = value;
    if (pages > MOST_PAGES || all.length > MOST_ITEMS || characters > MOST_CHARACTERS)
      throw tooMuch(argument);
  }
  return name === undefined ? all : { ...(isSchema(last) ? last : {}), [name]: all };
}

/** An API that links to its next pages does so until the last one, whatever its arguments are. */
async function* pagesOf(fetching: Fetching): AsyncGenerator<Page> {
  const { paging, args, get } = fetching;
  let page = await get({ args });
  yield page;
  if (page.next === undefined) {
    yield* paging.cursor === undefined ? byNumber(page, fetching) : byCursor(page, fetching);
  }
  while (page.next !== undefined) {
    page = await get({ next: page.next });
    yield page;
  }
}

async function* byCursor(first: Page, { paging, args, get }: Fetching): AsyncGenerator<Page> {
  const { argument = "", cursor = "" } = paging;
  let page = first;
  for (let sent = args[argument]; ;) {
    const found = valueAt(page.value, cursor);
    const { has_more: more, hasMore = more } = isSchema(page.value) ? page.value : {};
    // At the end it is absent, empty, or the same again.
    if (!found || found === sent || hasMore === false) return;
    sent = found;
    const next =
      typeof found === "string" && /^(?:https?:\/\/|[/?])/i.test(found)
        ? { next: found }
        : undefined;
    if (!next && argument === "")
      throw new Error(`its next page is ${JSON.stringify(found)}, which no argument takes`);
    page = await get(next ?? { args: { ...args, [argument]: sent } });
    yield page;
  }
}

/** The value at a path: `-1` is the last item, and a step may have dots itself, as `@odata.nextLink`. */
function valueAt(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return valueAt(value.at(-1), path.replace(/^-1\.?/, ""));
  if (!isSchema(value)) return undefined;
  if (path in value) return value[path];
  const [step = "", ...further] = path.split(".");
  return further.length > 0 ? valueAt(value[step], further.join(".")) : undefined;
}

/**
 * Numbered pages end with an empty one; some APIs repeat the last one instead. If the document does not say whether the
 * first page is 0 or 1, page 1 shows it: it is the same again, or the second.
 */
async function* byNumber(start: Page, { paging, args, get }: Fetching): AsyncGenerator<Page> {
  const { argument, first = 0, items: name, isOffset = false } = paging;
  if (argument === undefined) return;
  let number = Number(args[argument] ?? first);
  for (let before = itemsOf(start.value, name); before && before.length > 0;) {
    number += isOffset ? before.length : 1;
    const page = await get({ args: { ...args, [argument]: number } });
    const items = itemsOf(page.value, name) ?? [];
    const isSame = isDeepStrictEqual(items, before);
    if (items.length === 0 || (isSame && (isOffset || number !== 1))) return;
    if (!isSame) yield page;
    before = items;
  }
}

function itemsOf(value: unknown, name: string | undefined): unknown[] | undefined {
  const found = name !== undefined && isSchema(value) ? value[name] : value;
  return Array.isArray(found) ? found : undefined;
}

function tooMuch(argument: string | undefined): Error {
  const otherwise = argument === undefined ? "" : `, or page by page with ${argument}`;
  return new Error(
    `there are more than the ${MOST_PAGES} pages, ${MOST_ITEMS} items or ${MOST_CHARACTERS / 1e6} MB that one call may fetch; ask for less${otherwise}`,
  );
}

/** The address of the next page in a `Link` header. */
export function nextLink(header: string | null): string | undefined {
  for (const [, address, more = ""] of (header ?? "").matchAll(
    /<([^<>]{1,4000})>([^<]{0,1000})/g,
  )) {
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?(?:\s*[;,]|\s*$)/i.test(more))
      return address;
  }
  return undefined;
}
