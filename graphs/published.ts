import type { Pregel } from "@langchain/langgraph";
import type { SettingsInput } from "../state/settings.js";
import {
  type AgentGraph,
  type Compilable,
  type CompileOptions,
  compileGraph as compile,
} from "./compile.js";
import { type GraphEntry as LooseEntry, type GraphId, allGraphs } from "./index.js";

/** A graph as LangGraph types it, but with these settings in place of `any`. */
type WithSettings = Pregel<
  AgentGraph["nodes"],
  AgentGraph["channels"],
  SettingsInput,
  Parameters<AgentGraph["invoke"]>[0],
  Awaited<ReturnType<AgentGraph["invoke"]>>
>;

/** A runnable graph; unknown settings fail to type-check. */
export type PublishedGraph = Omit<AgentGraph, "invoke" | "stream"> &
  Pick<WithSettings, "invoke" | "stream">;

/** A graph and its description. */
export interface GraphEntry extends Omit<LooseEntry, "graph"> {
  graph: PublishedGraph;
}

/**
 * Every graph by its id. The build replaces the `await` by imports, because `require` cannot load a module that awaits.
 *
 * @example
 * const { answer } = await graphs.tulip.graph.invoke({ request: "What is 3 + 4?" });
 */
export const graphs: Record<GraphId, GraphEntry> = await allGraphs();

/**
 * Compiles a wiring with a step limit that runs never reach.
 *
 * @example
 * const graph = compileGraph(wiring, { name: "my_wiring" });
 */
export function compileGraph(wiring: Compilable, options: CompileOptions): PublishedGraph {
  return compile(wiring, options);
}
