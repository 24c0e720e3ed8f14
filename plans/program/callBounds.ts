/*
 * How often something happens, or how long a list is, as far as known before anything runs.
 */

/** At least and at most this often. */
export interface Bound {
  least: number;
  /** Infinite if unknown. */
  most: number;
  /** Why the maximum is unknown. */
  unknown?: Unbounded;
}

/** A list of unknown length. */
export interface Unbounded {
  /** What decides, in words: "the length of the list that works_list gives (line 2)". */
  by: string;
  /** The list as the program names it, with its line: "stale (line 3)"; absent if unnamed. */
  name?: string;
}

export const NONE: Bound = { least: 0, most: 0 };
export const ONCE: Bound = { least: 1, most: 1 };

export function atMost(most: number): Bound {
  return { least: 0, most };
}

export function unbounded(by: string): Bound {
  return { least: 0, most: Infinity, unknown: { by } };
}

/** Both. */
export function plus(one: Bound, other: Bound): Bound {
  return {
    least: one.least + other.least,
    most: one.most + other.most,
    ...reason(one, other),
  };
}

/** One for each of the other. */
export function times(one: Bound, other: Bound): Bound {
  const none = one.most === 0 || other.most === 0;
  if (none) return NONE;
  return { least: one.least * other.least, most: one.most * other.most, ...reason(one, other) };
}

/** One or the other. */
export function either(one: Bound, other: Bound): Bound {
  return {
    least: Math.min(one.least, other.least),
    most: Math.max(one.most, other.most),
    ...reason(one, other),
  };
}

/** Perhaps not at all. */
export function perhaps(bound: Bound): Bound {
  return { ...bound, least: 0 };
}

function reason(one: Bound, other: Bound): { unknown?: Unbounded } {
  const unknown = one.unknown ?? other.unknown;
  return unknown ? { unknown } : {};
}
