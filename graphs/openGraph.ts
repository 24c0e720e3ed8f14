import type { About } from "./about.js";
import { openWorkspace } from "../home/workspace.js";
import { type AgentGraph, compileGraph } from "./compile.js";
import { GRAPH_IDS, type GraphEntry, loadGraph } from "./index.js";
import { findGraph, loadOwnGraph } from "./ownGraphs.js";
import { projectGraph } from "./projects.js";

/** What is known about a graph, one of a LangGraph.js project included. @throws UnknownName */
export async function aboutGraph(given: string): Promise<About> {
  const name = findGraph(given);
  return projectGraph(name)?.about ?? (await namedGraph(name));
}

/** A graph with its description, by its id or the name of the user's own (`findGraph`). @throws UnknownName */
export async function namedGraph(given: string): Promise<GraphEntry & { name: string }> {
  const name = findGraph(given);
  const own = await loadOwnGraph(name);
  if (own) return { ...own.about, ...own, name };
  const id = GRAPH_IDS.find((each) => each === name);
  if (id === undefined) throw new Error(`graph ${name} has no file`);
  return { ...(await loadGraph(id)), name };
}

/** A graph with the checkpoints of this home. */
export async function openGraph(given: string): Promise<AgentGraph> {
  const { wiring, name } = await namedGraph(given);
  const { saver } = openWorkspace().checkpoints();
  return compileGraph(wiring, { name, checkpointer: saver });
}

/**
 * Whether a thread's last run has ended. `next` is not a test: it omits a stage whose result is saved but not the
 * checkpoint after it, as when a process is killed in between.
 */
export function hasEnded({ tasks }: { tasks: readonly unknown[] }): boolean {
  return tasks.length === 0;
}
