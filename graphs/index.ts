import type { About } from "./about.js";
import type { AgentGraph } from "./compile.js";
import type { Wiring } from "./wire.js";

export type { GraphNeed } from "./about.js";

/** A graph and its description. */
export interface GraphEntry extends About {
  graph: AgentGraph;
  wiring: Wiring;
}

/** What a wiring's file exports. */
interface WiringFile {
  about: About;
  graph: AgentGraph;
  wiring: Wiring;
}

/** Every graph by its id; a run loads only its own. */
const files = filesOf({
  tulip: () => import("./tulip.js"),
  base: () => import("./base.js"),
  naive_tool: () => import("./naive_tool.js"),
  cot_tool: () => import("./cot_tool.js"),
  minimal_tulip: () => import("./minimal_tulip.js"),
  naive_tulip: () => import("./naive_tulip.js"),
  cot_tulip: () => import("./cot_tulip.js"),
  informed_cot_tulip: () => import("./informed_cot_tulip.js"),
  primed_cot_tulip: () => import("./primed_cot_tulip.js"),
  one_shot_cot_tulip: () => import("./one_shot_cot_tulip.js"),
  auto_tulip: () => import("./auto_tulip.js"),
  dfs_tulip: () => import("./dfs_tulip.js"),
  react: () => import("./react.js"),
  react_prompt: () => import("./react_prompt.js"),
  react_btp: () => import("./react_btp.js"),
  react_prompt_btp: () => import("./react_prompt_btp.js"),
  dfsdt: () => import("./dfsdt.js"),
  dfsdt_prompt: () => import("./dfsdt_prompt.js"),
  dfsdt_btp: () => import("./dfsdt_btp.js"),
  dfsdt_prompt_btp: () => import("./dfsdt_prompt_btp.js"),
  tot_dfs: () => import("./tot_dfs.js"),
  tot_dfs_prompt: () => import("./tot_dfs_prompt.js"),
  tot_dfs_btp: () => import("./tot_dfs_btp.js"),
  tot_dfs_prompt_btp: () => import("./tot_dfs_prompt_btp.js"),
  react_replan: () => import("./react_replan.js"),
  tptu_base: () => import("./tptu_base.js"),
  tptu_retriever: () => import("./tptu_retriever.js"),
  tptu_demos: () => import("./tptu_demos.js"),
  tptu_full: () => import("./tptu_full.js"),
  iit_main: () => import("./iit_main.js"),
  iit_alternate: () => import("./iit_alternate.js"),
  iit_reflexion: () => import("./iit_reflexion.js"),
  iit_code: () => import("./iit_code.js"),
  iit_enforced: () => import("./iit_enforced.js"),
});

export type GraphId = keyof typeof files;

export const GRAPH_IDS = Object.keys(files) as GraphId[];

/** The graph that `solve` runs by default. */
export const DEFAULT_GRAPH: GraphId = "tulip";

/** Keeps the ids and no more of the types: with those of all wirings, the declarations were twice as large. */
function filesOf<Id extends string>(files: Record<Id, () => Promise<WiringFile>>) {
  return files;
}

/** Loads a graph and its wiring. */
export async function loadGraph(id: GraphId): Promise<GraphEntry> {
  const { about, graph, wiring }: WiringFile = await files[id]();
  return { ...about, graph, wiring };
}

/** Loads all graphs. */
export async function allGraphs(): Promise<Record<GraphId, GraphEntry>> {
  const entries = GRAPH_IDS.map(async (id) => [id, await loadGraph(id)] as const);
  return Object.fromEntries(await Promise.all(entries)) as Record<GraphId, GraphEntry>;
}
