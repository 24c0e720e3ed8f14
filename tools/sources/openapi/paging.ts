import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { HttpPaging, HttpPlace } from "../../tool.js";
import { isJson } from "./arguments.js";
import type { Operation } from "./operations.js";
import { merged, resolved } from "./plainSchema.js";

const CURSORS = /^(?:cursor|page_?token|next_?token|continuation_?token|after)$/i;
const NEXT_CURSORS =
  /^(?:(?:next|end)_?cursor|next_?page_?token|next_?token|continuation_?token)$/i;
const PAGES = /^page_?(?:number|num|no)?$/i;

/** Usual names for the items of a page that contains other lists, too. */
const ITEMS = ["data", "items", "results", "values", "entries", "records"];

/** How many pages and items one call for all pages may fetch. */
export const MOST_PAGES = 50;
export const MOST_ITEMS = 5000;

/**
 * How the pages of a list follow each other: by a `Link` header, by a cursor in the answer, or by number. Undefined if
 * the result is not a list, or a list without pages.
 *
 * @param options.places those of the arguments, whose names `all` must avoid
 */
export function pagingOf(options: {
  operation: Operation;
  document: JsonSchema;
  places: Readonly<Record<string, HttpPlace>>;
}): HttpPaging | undefined {
  const { operation, document, places } = options;
  if (operation.method !== "GET") return undefined;
  const found = Object.entries(operation.success.content).find(([type]) => isJson(type));
  const list = found && listIn(shapeOf(found[1], document), document);
  if (!found || !list) return undefined;
  const all = ["all_pages", "all_pages_"].find((name) => !(name in places)) ?? "every_page";
  const inQuery = (pattern: RegExp) =>
    Object.entries(places).find(
      ([, { in: where, name }]) => where === "query" && pattern.test(name),
    );
  const [cursorArgument] = inQuery(CURSORS) ?? [];
  const cursor = cursorIn(shapeOf(found[1], document), document);
  if (cursorArgument !== undefined && cursor !== undefined) {
    return { all, argument: cursorArgument, cursor, ...list };
  }
  const [pageArgument] = inQuery(PAGES) ?? [];
  if (pageArgument !== undefined) return { all, argument: pageArgument, ...list };
  return operation.success.headers.includes("link") ? { all, ...list } : undefined;
}

/** The argument that asks for all pages. */
export const ALL_PAGES: JsonSchema = {
  type: "boolean",
  description: `true: all pages in one, up to ${MOST_PAGES} pages and ${MOST_ITEMS} items`,
};

function shapeOf(schema: unknown, document: JsonSchema): JsonSchema {
  return merged(resolved(schema, document), { document });
}

function listIn(schema: JsonSchema, document: JsonSchema): Pick<HttpPaging, "items"> | undefined {
  if (isList(schema)) return {};
  const { properties } = schema;
  if (!isSchema(properties)) return undefined;
  const lists = Object.keys(properties).filter((name) =>
    isList(shapeOf(properties[name], document)),
  );
  const items = ITEMS.find((name) => lists.includes(name)) ?? lists[0];
  const isClear = lists.length === 1 || ITEMS.includes(items ?? "");
  return items !== undefined && isClear ? { items } : undefined;
}

function isList({ type, items }: JsonSchema): boolean {
  return type === "array" || (type === undefined && isSchema(items));
}

/** The path of the next page's cursor, at the root of an answer or one level below. */
function cursorIn(schema: JsonSchema, document: JsonSchema, deeper = true): string | undefined {
  const properties = Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {});
  const [here] = properties.find(([name]) => NEXT_CURSORS.test(name)) ?? [];
  if (here !== undefined || !deeper) return here;
  for (const [name, property] of properties) {
    const below = cursorIn(shapeOf(property, document), document, false);
    if (below !== undefined) return `${name}.${below}`;
  }
  return undefined;
}
