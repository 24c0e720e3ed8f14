import { type GraphId, allGraphs } from "../../graphs/index.js";

const graphs = await allGraphs();

/** A way to search, with the graphs that take notice of a budget in different ways. */
export interface Strategy {
  name: string;
  graphs: readonly ComparedGraph[];
}

/** A graph of the comparison. */
interface ComparedGraph {
  graph: GraphId;
  /** How it takes notice of the budget, in the published words. */
  variant: BudgetVariant;
}

/** How a graph takes notice of a budget; "plain" not at all. */
export type BudgetVariant = "plain" | "+Prompt" | "+BTP" | "+Prompt+BTP" | "replanned";

/** The strategies that BTP compares (Zheng et al. 2024, arXiv:2402.15960), and the replanning of this project. */
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

/** A graph that ignores budgets makes the same run under each. */
export function ignoresBudget(graph: GraphId): boolean {
  return graphs[graph].budget === "ignored";
}

/** A graph that refuses what its budget does not allow. */
export function keepsBudget(graph: GraphId): boolean {
  return graphs[graph].budget === "enforced";
}

/** Each graph that keeps its budget, with the one of its strategy that ignores budgets. */
export function comparedPairs(): { graph: GraphId; against: GraphId }[] {
  return STRATEGIES.flatMap(({ graphs: [plain, ...others] }) =>
    others
      .filter(({ graph }) => keepsBudget(graph))
      .flatMap(({ graph }) => (plain ? [{ graph, against: plain.graph }] : [])),
  );
}
