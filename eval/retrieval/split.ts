import { InvalidSetting } from "../../common/errors.js";
import { hashedShare } from "../statistics/random.js";
import type { LabelledRequest, RequestSet } from "./labelledRequests.js";

/** Decides the split and the order of training, unless it is said otherwise. */
export const USUAL_SEED = 1;

/** What a request is used for: to learn from, to choose when to stop, or to measure. */
export type Part = "train" | "validation" | "test";

/** Shares of the tool sets; what is left is for measuring. */
const SHARES = { train: 0.6, validation: 0.1 };

/**
 * Divides requests 70 to 30, and the 70 once more, by a hash of the set of tools that each needs or,
 * where it has one, of its template: requests that are all but the same stand on one side.
 */
export function partOf(request: LabelledRequest, seed: number): Part {
  const { template, tools } = request;
  const group = template ?? JSON.stringify(tools.toSorted());
  const share = hashedShare(`${seed} ${group}`);
  if (share < SHARES.train) return "train";
  return share < SHARES.train + SHARES.validation ? "validation" : "test";
}

/**
 * @param options.setting what named the requests, for the error
 * @throws InvalidSetting when there is nothing to learn from, to stop by or to measure on
 */
export function requireParts({
  setting,
  sets,
  seed,
}: {
  setting: string;
  sets: readonly RequestSet[];
  seed: number;
}): void {
  const requests = sets.flatMap((set) => set.requests);
  const parts = new Set(requests.map((request) => partOf(request, seed)));
  if (parts.size === 3) return;
  throw new InvalidSetting({
    setting,
    problem: `${requests.length} requests, divided by the tools that they need, leave no request to learn from, to stop by or to measure on`,
    hint: "Give more requests, for more different tools, or another --seed",
  });
}
