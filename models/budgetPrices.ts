import { InvalidSetting } from "../common/errors.js";
import { readBudget } from "../state/budgetSetting.js";
import type { Context } from "../state/context.js";
import { embeddingPrice, priceOf } from "./prices.js";

/**
 * Finds out whether the budget of a run can be kept, before anything is spent.
 *
 * @throws InvalidSetting when the budget cannot be read, or when it counts dollars and nobody knows what
 * a model of the run costs
 */
export async function requireBudget(context: Context): Promise<void> {
  if (readBudget(context)?.unit !== "usd") return;
  const { model, reasoningModel = model, embeddings } = context;
  for (const spec of [model, reasoningModel]) {
    if ((await priceOf(spec)) === undefined) throw unknownPrice(spec);
  }
  if (embeddingPrice(embeddings) === undefined) throw unknownPrice(embeddings);
}

/** The failure of a budget in dollars where nobody knows what a model costs. */
export function unknownPrice(spec: string): InvalidSetting {
  return new InvalidSetting({
    setting: "budget",
    problem: `nobody knows what ${spec} costs, so that dollars cannot be counted`,
    hint: "Give the budget in units of calls, such as 20, or use a model with a known price",
  });
}
