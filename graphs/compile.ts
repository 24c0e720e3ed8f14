import type { BaseCheckpointSaver, StateGraph } from "@langchain/langgraph";
import { MOST_MODEL_CALLS, MOST_PLAN_CALLS } from "../state/context.js";
import { WORKSPACE_KEY, type Workspace } from "../workspace/workspace.js";
import type { GraphState, Input, Output, State, StateUpdate } from "../state/state.js";
import { HeldGraph } from "./heldGraph.js";

/**
 * Most steps of a run. LangGraph's default of 25 would end legitimate runs. This limit is never reached,
 * because limits on model calls, plan calls and seconds stop a run long before: no cycle takes more than seven
 * steps per model call, or three per plan call.
 */
const RECURSION_LIMIT = 7 * MOST_MODEL_CALLS + 3 * MOST_PLAN_CALLS + 50;

/** A wiring, or any other StateGraph over the same channels. */
export interface Compilable {
  compile: (options: { checkpointer?: BaseCheckpointSaver; name: string }) => unknown;
}

/**
 * A compiled graph. The type hides the nodes, which callers need not know, and types the settings loosely,
 * since LangGraph's own type would require every one of them.
 */
export type AgentGraph = ReturnType<
  StateGraph<typeof State, GraphState, StateUpdate, string, typeof Input, typeof Output>["compile"]
>;

/** How a wiring is compiled. */
export interface CompileOptions {
  /** Its id, as shown in traces. */
  name: string;
  /** @default none: LangGraph's servers bring their own */
  checkpointer?: BaseCheckpointSaver;
  /**
   * What its runs use: libraries, the tool call journal, experience.
   *
   * @default the workspace of `TULIPGRAPH_HOME`
   */
  workspace?: Workspace;
}

/** Compiles a wiring with a step limit that runs never reach; each run holds its thread. */
export function compileGraph(wiring: Compilable, options: CompileOptions): AgentGraph {
  const { workspace, ...how } = options;
  const graph = wiring.compile(how) as ConstructorParameters<typeof HeldGraph>[0];
  const held = new HeldGraph({ ...graph }) as unknown as AgentGraph;
  const configurable = workspace ? { [WORKSPACE_KEY]: workspace } : {};
  return held.withConfig({ recursionLimit: RECURSION_LIMIT, configurable });
}
