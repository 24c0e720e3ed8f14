import { InvalidSetting } from "../errors.js";
import { type GraphId, graphs } from "../graphs/index.js";
import { embeddingPrice, priceOf } from "../models/prices.js";
import { readBudget } from "../state/budget.js";
import type { Context } from "../state/context.js";

/**
 * Finds out whether the budget of a run can be kept, before anything is spent.
 *
 * @throws InvalidSetting when the budget cannot be read, or when it counts dollars and nobody knows what
 * a model of the run costs
 */
export async function requireBudget(context: Context): Promise<void> {
  if (readBudget(context)?.unit !== "usd") return;
  const unknown = await modelOfUnknownPrice(context);
  if (unknown === undefined) return;
  throw new InvalidSetting({
    setting: "budget",
    problem: `nobody knows what ${unknown} costs, so that dollars cannot be counted`,
    hint: "Give the budget in units of calls, such as 20, or use a model with a known price",
  });
}

async function modelOfUnknownPrice(context: Context): Promise<string | undefined> {
  const { model, reasoningModel = model, embeddings } = context;
  for (const spec of [model, reasoningModel]) {
    if ((await priceOf(spec)) === undefined) return spec;
  }
  return embeddingPrice(embeddings) === undefined ? embeddings : undefined;
}

/** What a graph makes of a budget that it does not keep. */
const UNHEEDED = {
  ignored: "takes no notice of a budget",
  told: "tells the model of its budget and does not enforce it",
};

/** One line for who gives a budget to a graph that does not keep it; undefined where it is kept. */
export function unheededBudget(options: { graph: GraphId; context: Context }): string | undefined {
  const { graph, context } = options;
  const { budget } = graphs[graph];
  if (context.budget === undefined || budget === "enforced") return undefined;
  const planning = `${graph}_btp`;
  const instead = Object.hasOwn(graphs, planning) ? `; ${planning} keeps it` : "";
  return `note: ${graph} ${UNHEEDED[budget]}, as published${instead}`;
}
