import { sha256 } from "../../tools/library/hash.js";
import type { LabelledRequest } from "./labelledRequests.js";

/** What a request is used for: to learn from, to choose when to stop, or to measure. */
export type Part = "train" | "validation" | "test";

/** Shares of the tool sets; what is left is for measuring. */
const SHARES = { train: 0.6, validation: 0.1 };

/** Hexadecimal digits of the hash that are looked at. */
const DIGITS = 12;

/**
 * Divides requests 70 to 30, and the 70 once more, by a hash of the set of tools that each needs or,
 * where it has one, of its template: requests that are all but the same stand on one side.
 */
export function partOf(request: LabelledRequest, seed: number): Part {
  const { template, tools } = request;
  const group = template ?? JSON.stringify(tools.toSorted());
  const digits = sha256(`${seed} ${group}`).slice(0, DIGITS);
  const share = Number.parseInt(digits, 16) / 16 ** DIGITS;
  if (share < SHARES.train) return "train";
  return share < SHARES.train + SHARES.validation ? "validation" : "test";
}
