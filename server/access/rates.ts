import { HttpProblem } from "../problem.js";

const MINUTE_MS = 60_000;

/** Callers and addresses that are counted at once; who comes when it is full begins anew. */
const MOST_COUNTED = 10_000;

/** Counts in the present minute, by name. */
export interface MinuteCounts {
  /** Counts one more. @throws HttpProblem 429 when it is one too many */
  count: (name: string) => void;
  /** @throws HttpProblem 429 when one more would be too many */
  require: (name: string) => void;
}

/**
 * Counts what there may be so many of in a minute. Each process counts for itself: with several servers behind one
 * address, a caller may come to as many times the number.
 *
 * @param options.most undefined for no limit
 * @param options.what what is counted, in words, for the message
 */
export function countByMinute(options: { most?: number; what: string }): MinuteCounts {
  const { most, what } = options;
  const counts = new Map<string, number>();
  let minute = 0;
  const countOf = (name: string) => {
    const present = Math.floor(Date.now() / MINUTE_MS);
    if (present !== minute || counts.size > MOST_COUNTED) counts.clear();
    minute = present;
    return counts.get(name) ?? 0;
  };
  const require = (name: string) => {
    if (most === undefined || countOf(name) < most) return;
    throw new HttpProblem({
      status: 429,
      problem: `more than ${most} ${what} a minute`,
      hint: "Wait for the next minute",
      retryAfter: Math.ceil(((minute + 1) * MINUTE_MS - Date.now()) / 1000),
    });
  };
  return {
    require,
    count: (name) => {
      require(name);
      if (most !== undefined) counts.set(name, countOf(name) + 1);
    },
  };
}
