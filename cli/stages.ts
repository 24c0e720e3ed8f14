import { type GraphId, graphs } from "../graphs/index.js";
import type { StageFacts } from "../nodes/shared/stage.js";

/** What the stages of a graph say of themselves, by the names of their nodes. */
export type Stages = Readonly<Record<string, StageFacts | undefined>>;

/** The stages of a graph. */
export function stagesOf(graph: GraphId): Stages {
  const { nodes } = graphs[graph].builder as unknown as Builder;
  return Object.fromEntries(
    Object.entries(nodes).map(([name, { runnable }]) => [name, runnable.func]),
  );
}

/** What of a builder of LangGraph has the functions of its nodes. */
interface Builder {
  nodes: Record<string, { runnable: { func?: StageFacts } }>;
}
