import type { HttpPaging } from "../../tool.js";
import type { Answer } from "./answer.js";
import { MOST_ITEMS, MOST_PAGES } from "./paging.js";

/** An answer that may be one of several pages. */
export interface Page extends Answer {
  /** Address of the next page, if a `Link` header names one. */
  next?: string;
}

/** How to request a page: with changed arguments, or at an address. */
export type PageRequest = { args: Record<string, unknown> } | { next: string };

/**
 * All pages of a list as one answer: the first page, with the items of the others appended to its own.
 *
 * @param options.get fetches a page
 * @throws Error in one line when there are more pages or items than one call may fetch
 */
export async function allPages(options: {
  paging: HttpPaging;
  args: Record<string, unknown>;
  get: (request: PageRequest) => Promise<Page>;
}): Promise<unknown> {
  const { paging, args, get } = options;
  const { argument } = paging;
  const start = argument === undefined ? undefined : args[argument];
  let number = typeof start === "number" ? start : 1;
  let page = await get({ args });
  const whole = page.value;
  const all = [...(itemsOf(whole, paging) ?? [])];
  let isLinked = false;
  for (let count = 1; ; count += 1) {
    number += 1;
    // An API that links to next pages does so until the last one.
    if (isLinked && page.next === undefined) return withItems(whole, all, paging);
    isLinked ||= page.next !== undefined;
    const request = nextRequest(page, { paging, args, number });
    if (request === undefined) return withItems(whole, all, paging);
    const isFull = count >= MOST_PAGES || all.length >= MOST_ITEMS;
    const before = page;
    page = await get(request);
    const items = itemsOf(page.value, paging) ?? [];
    // Numbered pages end with an empty one; some APIs repeat the last one instead.
    if (items.length === 0 || isSame(page, before)) return withItems(whole, all, paging);
    if (isFull) throw tooMany(paging);
    all.push(...items);
  }
}

function nextRequest(
  { value, next }: Page,
  options: { paging: HttpPaging; args: Record<string, unknown>; number: number },
): PageRequest | undefined {
  const { paging, args, number } = options;
  const { argument, cursor } = paging;
  if (next !== undefined) return { next };
  if (argument === undefined || (itemsOf(value, paging) ?? []).length === 0) return undefined;
  if (cursor === undefined) return { args: { ...args, [argument]: number } };
  const found = valueAt(value, cursor);
  const isOne = (typeof found === "string" && found !== "") || typeof found === "number";
  return isOne ? { args: { ...args, [argument]: found } } : undefined;
}

function itemsOf(value: unknown, { items }: HttpPaging): unknown[] | undefined {
  const found = items === undefined ? value : valueAt(value, items);
  return Array.isArray(found) ? found : undefined;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((at, step) => {
    return typeof at === "object" && at !== null && Object.hasOwn(at, step)
      ? (at as Record<string, unknown>)[step]
      : undefined;
  }, value);
}

function withItems(whole: unknown, all: unknown[], { items, cursor }: HttpPaging): unknown {
  if (items === undefined) return Array.isArray(whole) ? all : whole;
  if (typeof whole !== "object" || whole === null) return whole;
  const [holder] = cursor?.split(".") ?? [];
  const ended = Object.entries(whole).filter(([name]) => name !== holder || name === items);
  return { ...Object.fromEntries(ended), [items]: all };
}

function isSame(page: Page, before: Page): boolean {
  return JSON.stringify(page.value) === JSON.stringify(before.value);
}

function tooMany({ argument }: HttpPaging): Error {
  const instead =
    argument === undefined ? "ask for less" : `ask for less, or page by page with ${argument}`;
  return new Error(
    `there are more than the ${MOST_PAGES} pages or ${MOST_ITEMS} items that one call may fetch; ${instead}`,
  );
}

/** The address of the next page in a `Link` header. */
export function nextLink(header: string | null): string | undefined {
  for (const link of (header ?? "").matchAll(/<([^<>]{1,4000})>([^<]{0,1000})/g)) {
    if (/;\s*rel\s*=\s*"?(?:[^";]*\s)?next(?:\s[^";]*)?"?(?:\s*[;,]|\s*$)/i.test(link[2] ?? ""))
      return link[1];
  }
  return undefined;
}
