import { InvalidSetting } from "../../common/errors.js";
import { hashedShare } from "../statistics/random.js";
import type { LabelledRequest, RequestSet } from "./labelledRequests.js";

/** Default seed of the split and the order of training. */
export const USUAL_SEED = 1;

/** What a request is used for: learning, deciding when to stop, or measuring. */
export type Part = "train" | "validation" | "test";

/** Shares of the tool sets; the rest is for measuring. */
const SHARES = { train: 0.6, validation: 0.1 };

/**
 * Splits requests 70 to 30, and the 70 again, by a hash of the template of each request or else of the set of
 * tools that it needs, so that near-identical requests stay on one side.
 */
export function partOf(request: LabelledRequest, seed: number): Part {
  const { template, tools } = request;
  const group = template ?? JSON.stringify(tools.toSorted());
  const share = hashedShare(`${seed} ${group}`);
  if (share < SHARES.train) return "train";
  return share < SHARES.train + SHARES.validation ? "validation" : "test";
}

/**
 * @param options.setting the option that named the requests, for the error
 * @throws InvalidSetting if a part is empty
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
