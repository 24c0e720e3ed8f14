import { InvalidSetting } from "../common/errors.js";
import { readBudget } from "../state/budgetSetting.js";
import type { Context } from "../state/context.js";
import { embeddingPrice, priceOf } from "./prices.js";

/**
 * Checks, before anything is spent, that the budget of a run can be kept.
 *
 * @throws InvalidSetting when the budget cannot be read, or is in dollars and the price of one of the run's
 * models is unknown
 */
export async function requireBudget(context: Context): Promise<void> {
  if (readBudget(context)?.unit !== "usd") return;
  const { model, reasoningModel = model, embeddings } = context;
  for (const spec of [model, reasoningModel]) {
    if ((await priceOf(spec)) === undefined) throw unknownPrice(spec);
  }
  if (embeddingPrice(embeddings) === undefined) throw unknownPrice(embeddings);
}

/** The error for a budget in dollars if a model's price is unknown. */
export function unknownPrice(spec: string): InvalidSetting {
  return new InvalidSetting({
    setting: "budget",
    problem: `nobody knows what ${spec} costs, so that dollars cannot be counted`,
    hint: "Give the budget in units of calls, such as 20, or use a model with a known price",
  });
}
