import type { About, Made } from "./about.js";
import type { AgentGraph } from "./compile.js";
import type { Wiring } from "./wire.js";

export type { GraphNeed } from "./about.js";

/** A graph and its description. */
export interface GraphEntry extends About {
  graph: AgentGraph;
  wiring: Wiring;
}

/** Every graph by its id; a run loads only its own. */
const files = filesOf({
  tulip: () => import("./tulip.js"),
  base: () => import("./base.js"),
  naive_tool: async () => (await import("./tulipAgent.js")).made.naive_tool,
  cot_tool: async () => (await import("./tulipAgent.js")).made.cot_tool,
  minimal_tulip: () => import("./minimal_tulip.js"),
  naive_tulip: async () => (await import("./tulipAgent.js")).made.naive_tulip,
  cot_tulip: async () => (await import("./tulipAgent.js")).made.cot_tulip,
  informed_cot_tulip: async () => (await import("./tulipAgent.js")).made.informed_cot_tulip,
  primed_cot_tulip: async () => (await import("./tulipAgent.js")).made.primed_cot_tulip,
  one_shot_cot_tulip: async () => (await import("./tulipAgent.js")).made.one_shot_cot_tulip,
  auto_tulip: () => import("./auto_tulip.js"),
  dfs_tulip: () => import("./dfs_tulip.js"),
  react: async () => (await import("./btp.js")).made.react,
  react_prompt: async () => (await import("./btp.js")).made.react_prompt,
  react_btp: async () => (await import("./btp.js")).made.react_btp,
  react_prompt_btp: async () => (await import("./btp.js")).made.react_prompt_btp,
  dfsdt: async () => (await import("./btp.js")).made.dfsdt,
  dfsdt_prompt: async () => (await import("./btp.js")).made.dfsdt_prompt,
  dfsdt_btp: async () => (await import("./btp.js")).made.dfsdt_btp,
  dfsdt_prompt_btp: async () => (await import("./btp.js")).made.dfsdt_prompt_btp,
  tot_dfs: async () => (await import("./btp.js")).made.tot_dfs,
  tot_dfs_prompt: async () => (await import("./btp.js")).made.tot_dfs_prompt,
  tot_dfs_btp: async () => (await import("./btp.js")).made.tot_dfs_btp,
  tot_dfs_prompt_btp: async () => (await import("./btp.js")).made.tot_dfs_prompt_btp,
  react_replan: async () => (await import("./btp.js")).made.react_replan,
  react_knapsack: async () => (await import("./btp.js")).made.react_knapsack,
  react_chain: async () => (await import("./btp.js")).made.react_chain,
  tptu_base: async () => (await import("./tptu.js")).made.tptu_base,
  tptu_retriever: async () => (await import("./tptu.js")).made.tptu_retriever,
  tptu_demos: async () => (await import("./tptu.js")).made.tptu_demos,
  tptu_full: async () => (await import("./tptu.js")).made.tptu_full,
  iit_main: async () => (await import("./iit.js")).made.iit_main,
  iit_alternate: async () => (await import("./iit.js")).made.iit_alternate,
  iit_stepwise: async () => (await import("./iit.js")).made.iit_stepwise,
  iit_controlllm: async () => (await import("./iit.js")).made.iit_controlllm,
  iit_rap: async () => (await import("./iit.js")).made.iit_rap,
  iit_reflexion: async () => (await import("./iit.js")).made.iit_reflexion,
  iit_code: async () => (await import("./iit.js")).made.iit_code,
  iit_enforced: async () => (await import("./iit.js")).made.iit_enforced,
});

export type GraphId = keyof typeof files;

export const GRAPH_IDS = Object.keys(files) as GraphId[];

/** The graph that `solve` runs by default. */
export const DEFAULT_GRAPH: GraphId = "tulip";

/** Keeps the ids and no more of the types: with those of all wirings, the declarations were twice as large. */
function filesOf<Id extends string>(files: Record<Id, () => Promise<Made>>) {
  return files;
}

/** Loads a graph and its wiring. */
export async function loadGraph(id: GraphId): Promise<GraphEntry> {
  const { about, graph, wiring }: Made = await files[id]();
  return { ...about, graph, wiring };
}

/** Loads all graphs. */
export async function allGraphs(): Promise<Record<GraphId, GraphEntry>> {
  const entries = GRAPH_IDS.map(async (id) => [id, await loadGraph(id)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<GraphId, GraphEntry>;
}
