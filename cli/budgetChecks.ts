import { type GraphId, graphs } from "../graphs/index.js";
import type { Context } from "../state/context.js";

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
