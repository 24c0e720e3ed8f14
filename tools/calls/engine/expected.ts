import { isDeepStrictEqual } from "node:util";
import { clipped, listed } from "../../../common/text.js";
import { wordsOf } from "../../../common/nearNames.js";
import { isPlainObject } from "../../../plans/steps/references.js";
import { at, type CallForm, pathsBefore } from "../../library/records/wayBack.js";
import type { Look } from "../journal/journal.js";

/** What a read has to give for a write to be taken back: the thing is as the write has left it. */
export interface Expected extends Pick<Look, "tool" | "args"> {
  /** What the write has changed, or what taking it back would overwrite; empty if the thing is to be gone. */
  holds: Fact[];
  isGone?: boolean;
}

interface Fact {
  path: string[];
  /** Absent if there is to be nothing at the path. */
  value?: unknown;
}

/** The looks before and after a write. */
export interface Looks {
  before?: Look;
  after?: Look;
}

/**
 * What has to hold for a write to be taken back: where it has changed something, and where the call that takes it back
 * would put what was there before. What others have changed elsewhere does not matter.
 *
 * @returns undefined if nobody has looked, or there was nothing to see
 */
export function expectedAfter({ before, after }: Looks, undo: CallForm): Expected | undefined {
  if (!after || (!isThere(after) && !isThere(before))) return undefined;
  const { tool, args } = after;
  if (!isThere(after)) return { tool, args, holds: [], isGone: true };
  const [earlier, later] = [before?.value, after.value];
  const restored = isThere(before) ? pathsBefore(undo) : [];
  const paths = pathsIn(earlier, later).filter(
    (path) =>
      !isDeepStrictEqual(at(earlier, path), at(later, path)) ||
      restored.some((one) => one.every((key, index) => path[index] === key)),
  );
  const lasting = paths.filter((path) => !isVolatile(path));
  const holds = (lasting.length > 0 ? lasting : paths).map((path) => factAt(later, path));
  return { tool, args, holds };
}

/** What is seen instead of what is expected, in words; undefined if all of it holds. */
export function changesSince({ holds, isGone }: Expected, now: Look): string | undefined {
  if (isGone) return isThere(now) ? "it is there again" : undefined;
  if (!isThere(now))
    return `it is gone${now.error === undefined ? "" : ` (${clipped(now.error, 200)})`}`;
  const changed = holds.filter(({ path, value }) => !isDeepStrictEqual(at(now.value, path), value));
  if (changed.length === 0) return undefined;
  const told = changed.map(({ path, value }) => {
    const name = path.join(".") || "it";
    return `${name} is ${shown(at(now.value, path))}, not ${shown(value)}`;
  });
  return listed(told, CHANGES_TOLD, "; ");
}

/** Whether the thing is already as it was before the write. */
export function isAsBefore(expected: Expected, { before }: Looks, now: Look): boolean {
  if (!isThere(before)) return !isThere(now);
  const { holds } = expected.isGone ? { holds: lastingFacts(before?.value) } : expected;
  const paths = holds.map(({ path }) => path);
  return (
    isThere(now) &&
    paths.every((path) => isDeepStrictEqual(at(now.value, path), at(before?.value, path)))
  );
}

/** What is expected, with what a person was shown instead. */
export function expectedNow({ tool, args, holds, isGone }: Expected, now: Look): Expected {
  if (!isThere(now)) return { tool, args, holds: [], isGone: true };
  if (isGone) return { tool, args, holds: lastingFacts(now.value) };
  return { tool, args, holds: holds.map(({ path }) => factAt(now.value, path)) };
}

/** What will be seen once a write is taken back. */
export function takenBack(expected: Expected, { before }: Looks, now: Look): Look {
  const { tool, args } = now;
  if (!isThere(before)) return { tool, args, error: "taken back" };
  if (!isThere(now)) return { ...now, error: undefined, value: before?.value };
  const value = expected.holds.reduce(
    (whole, { path }) => withAt(whole, path, at(before?.value, path)),
    now.value,
  );
  return { tool, args, value };
}

/** All that is seen of a thing, except for what each change of it changes by itself. */
export function lastingFacts(value: unknown): Fact[] {
  if (value === undefined || value === null) return [];
  return pathsIn(value, undefined)
    .filter((path) => !isVolatile(path))
    .map((path) => factAt(value, path));
}

function isThere(look: Look | undefined): boolean {
  return look?.value !== undefined && look.value !== null;
}

const CHANGES_TOLD = 3;

function shown(value: unknown): string {
  return value === undefined ? "absent" : clipped(JSON.stringify(value), 100);
}

function factAt(whole: unknown, path: string[]): Fact {
  const value = at(whole, path);
  return { path, ...(value !== undefined && { value }) };
}

/** The paths to values that are not objects, in either of two; a list is one value. */
function pathsIn(one: unknown, other: unknown): string[][] {
  if (!isPlainObject(one) && !isPlainObject(other)) return [[]];
  const names = [one, other].flatMap((each) => (isPlainObject(each) ? Object.keys(each) : []));
  return [...new Set(names)].flatMap((name) =>
    pathsIn(at(one, [name]), at(other, [name])).map((path) => [name, ...path]),
  );
}

function withAt(whole: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (!isPlainObject(whole)) return whole;
  return { ...whole, [key]: withAt(whole[key], rest, value) };
}

/** What each change of a thing changes by itself: "updated_at", "version", "etag". */
function isVolatile(path: readonly string[]): boolean {
  const words = wordsOf(path.at(-1) ?? "");
  return words.some((word) => VOLATILE.has(word));
}

const VOLATILE: ReadonlySet<string> = new Set(
  "updated modified edited changed accessed mtime etag version revision rev sequence seq history".split(
    " ",
  ),
);
