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
const NUMBERS = /^page_?(?:number|num|no)?$/i;

/** Usual names for the items of a page that contains other lists, too. */
const ITEMS = ["data", "items", "results", "values", "entries", "records"];

/**
 * How the pages of a list follow each other: by a cursor in the answer, by number, or by a `Link` header alone.
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
  const cursor = cursorIn(shape, document);
  if (byCursor !== undefined && cursor !== undefined)
    return { argument: byCursor, cursor, ...list };
  const [byNumber, place] = argumentLike(NUMBERS) ?? [];
  if (byNumber === undefined) return success.headers.includes("link") ? list : undefined;
  const known = parameters.find((each) => each.in === "query" && each.name === place?.name);
  const { default: usual, minimum } = shapeOf(known?.schema, document);
  const first = [usual, minimum].find((each) => typeof each === "number");
  return { argument: byNumber, ...(first === undefined ? {} : { first }), ...list };
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

/** The path of the next page's cursor, at the root of an answer or one level below. */
function cursorIn(schema: JsonSchema, document: JsonSchema, isRoot = true): string | undefined {
  const properties = Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {});
  const [here] = properties.find(([name]) => NEXT_CURSORS.test(name)) ?? [];
  if (here !== undefined || !isRoot) return here;
  for (const [name, property] of properties) {
    const below = cursorIn(shapeOf(property, document), document, false);
    if (below !== undefined) return `${name}.${below}`;
  }
  return undefined;
}

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
    const found = cursor
      .split(".")
      .reduce<unknown>((at, step) => (isSchema(at) ? at[step] : undefined), page.value);
    // At the end it is absent, empty, or the same again.
    if (!found || found === sent) return;
    sent = found;
    page = await get({ args: { ...args, [argument]: sent } });
    yield page;
  }
}

/**
 * Numbered pages end with an empty one; some APIs repeat the last one instead. If the document does not say whether the
 * first page is 0 or 1, page 1 shows it: it is the same again, or the second.
 */
async function* byNumber(start: Page, { paging, args, get }: Fetching): AsyncGenerator<Page> {
  const { argument, first = 0, items: name } = paging;
  if (argument === undefined) return;
  let number = Number(args[argument] ?? first);
  for (let before = itemsOf(start.value, name); before && before.length > 0;) {
    number += 1;
    const page = await get({ args: { ...args, [argument]: number } });
    const items = itemsOf(page.value, name) ?? [];
    const isSame = isDeepStrictEqual(items, before);
    if (items.length === 0 || (isSame && number !== 1)) return;
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
