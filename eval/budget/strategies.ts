import { type GraphId, allGraphs } from "../../graphs/index.js";

const graphs = await allGraphs();

/** A way to search, with graphs that treat a budget in different ways. */
export interface Strategy {
  name: string;
  graphs: readonly ComparedGraph[];
}

/** A graph of the comparison. */
interface ComparedGraph {
  graph: GraphId;
  /** How it treats the budget, as published. */
  variant: BudgetVariant;
}

/** How a graph treats a budget; "plain" ignores it. */
export type BudgetVariant = "plain" | "+Prompt" | "+BTP" | "+Prompt+BTP" | "replanned";

/** The strategies compared by BTP (Zheng et al. 2024, arXiv:2402.15960), and this project's replanning. */
export const STRATEGIES: readonly Strategy[] = [
  {
    name: "ReAct",
    graphs: [
      { graph: "react", variant: "plain" },
      { graph: "react_prompt", variant: "+Prompt" },
      { graph: "react_btp", variant: "+BTP" },
      { graph: "react_prompt_btp", variant: "+Prompt+BTP" },
      { graph: "react_replan", variant: "replanned" },
    ],
  },
  {
    name: "DFSDT",
    graphs: [
      { graph: "dfsdt", variant: "plain" },
      { graph: "dfsdt_prompt", variant: "+Prompt" },
      { graph: "dfsdt_btp", variant: "+BTP" },
      { graph: "dfsdt_prompt_btp", variant: "+Prompt+BTP" },
    ],
  },
  {
    name: "ToT-DFS",
    graphs: [
      { graph: "tot_dfs", variant: "plain" },
      { graph: "tot_dfs_prompt", variant: "+Prompt" },
      { graph: "tot_dfs_btp", variant: "+BTP" },
      { graph: "tot_dfs_prompt_btp", variant: "+Prompt+BTP" },
    ],
  },
];

/** All graphs of the comparison, strategy by strategy. */
export const COMPARED: readonly ComparedGraph[] = STRATEGIES.flatMap(({ graphs }) => graphs);

/** Whether a graph ignores budgets, and so makes the same run under each. */
export function ignoresBudget(graph: GraphId): boolean {
  return graphs[graph].budget === "ignored";
}

/** Whether a graph refuses calls that its budget does not allow. */
export function keepsBudget(graph: GraphId): boolean {
  return graphs[graph].budget === "enforced";
}

/** Each graph that enforces its budget, with the graph of its strategy that ignores budgets. */
export function comparedPairs(): { graph: GraphId; against: GraphId }[] {
  return STRATEGIES.flatMap(({ graphs: [plain, ...others] }) =>
    others
      .filter(({ graph }) => keepsBudget(graph))
      .flatMap(({ graph }) => (plain ? [{ graph, against: plain.graph }] : [])),
  );
}
