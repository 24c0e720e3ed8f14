import { GRAPH_IDS, type GraphId, type GraphNeed, loadGraph } from "../../graphs/index.js";
import { openEmbeddings } from "../../models/embeddings.js";
import type { BudgetUse } from "../../nodes/request/intake.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import type { Settings } from "../../state/settings.js";

/** What graphs that do not enforce a budget do with it. */
const UNHEEDED = {
  ignored: "takes no notice of a budget",
  told: "tells the model of its budget and does not enforce it",
};

/**
 * What a graph will not do although its name promises it or its settings ask for it, one line each. The graph runs
 * all the same, and its answer would not show it.
 */
export async function graphNotices(graph: GraphId, settings: Settings): Promise<string[]> {
  const { budget, needs = [] } = await loadGraph(graph);
  const lacks = await Promise.all(needs.map(async (need) => LACKS[need](settings)));
  const notices = lacks.flatMap((lack) => (lack === undefined ? [] : [`${graph} ${lack}`]));
  const unheeded = unheededBudget(graph, budget, settings);
  return unheeded === undefined ? notices : [unheeded, ...notices];
}

function unheededBudget(graph: GraphId, budget: BudgetUse, settings: Settings): string | undefined {
  if (settings.budget === undefined || budget === "enforced") return undefined;
  const enforcing = `${graph}_btp`;
  const instead = GRAPH_IDS.some((id) => id === enforcing) ? `; ${enforcing} keeps it` : "";
  return `${graph} ${UNHEEDED[budget]}, as published${instead}`;
}

/** What to say if the library lacks what a graph needs; undefined if it does not. */
const LACKS: Record<GraphNeed, (settings: Settings) => Promise<string | undefined>> = {
  demonstrations: async ({ library, demos }) => {
    if (demos === 0) return "shows no demonstrations, as the setting demos is 0";
    if ((await openWorkspace().experience().demonstrations.libraries()).includes(library))
      return undefined;
    return `has no demonstrations of library ${library} to show; add some with: tulipgraph memory import FILE`;
  },
  experience: async ({ library, budget }) => {
    if (budget === undefined)
      return "grants calls within a budget, and none is set; set one with --budget";
    if ((await openWorkspace().experience().libraries()).includes(library)) return undefined;
    return `has no past calls of library ${library} to divide a budget by, so only the amount limits the run; add some with: tulipgraph memory import FILE, or remember those of runs with --set remember=true`;
  },
  retriever: async ({ library, embeddings }) => {
    const { adapters = [] } = (await openWorkspace().store.describe(library)) ?? {};
    const { name } = await openEmbeddings(embeddings);
    if (adapters.some(({ model }) => model === name)) return undefined;
    return `searches library ${library} without a trained retriever; train one with: tulipgraph train retriever`;
  },
};
