import type { BaseCheckpointSaver, StateGraph } from "@langchain/langgraph";
import { MOST_MODEL_CALLS, MOST_PLAN_CALLS } from "../state/context.js";
import { WORKSPACE_KEY, type Workspace } from "../workspace/workspace.js";
import type { GraphState, Input, Output, State, StateUpdate } from "../state/state.js";
import { HeldGraph } from "./heldGraph.js";

/**
 * Steps that a run may take. LangGraph's default of 25 ends honest runs; the limits of a run count
 * model calls, calls of plans and seconds and stop it long before: no cycle of a graph takes more than six
 * steps for a model call, or three for a call of a plan.
 */
const RECURSION_LIMIT = 6 * MOST_MODEL_CALLS + 3 * MOST_PLAN_CALLS + 50;

/** A wiring, or a StateGraph of another make over the same channels. */
export interface Compilable {
  compile: (options: { checkpointer?: BaseCheckpointSaver; name: string }) => unknown;
}

/**
 * A compiled graph. Wirings differ in their nodes, which no caller needs to know; and the settings
 * of a run are typed loosely, since LangGraph's own type would demand each of them from every caller.
 */
export type AgentGraph = ReturnType<
  StateGraph<typeof State, GraphState, StateUpdate, string, typeof Input, typeof Output>["compile"]
>;

/** How a wiring is compiled. */
export interface CompileOptions {
  /** Its id, as it stands in traces. */
  name: string;
  /** @default none: LangGraph's servers bring their own */
  checkpointer?: BaseCheckpointSaver;
  /**
   * What its runs work with: libraries, calls of tools, experience.
   *
   * @default the workspace of `TULIPGRAPH_HOME`
   */
  workspace?: Workspace;
}

/** Compiles a wiring with a step limit that its runs never meet; each run holds its thread. */
export function compileGraph(wiring: Compilable, options: CompileOptions): AgentGraph {
  const { workspace, ...how } = options;
  const graph = wiring.compile(how) as ConstructorParameters<typeof HeldGraph>[0];
  const held = new HeldGraph({ ...graph }) as unknown as AgentGraph;
  const configurable = workspace ? { [WORKSPACE_KEY]: workspace } : {};
  return held.withConfig({ recursionLimit: RECURSION_LIMIT, configurable });
}
