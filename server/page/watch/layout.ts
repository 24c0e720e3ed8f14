import { graphlib, layout } from "@dagrejs/dagre";

/** A graph as the API draws it. */
export interface Wiring {
  nodes: { id: string | number; data?: unknown }[];
  edges: { source: string | number; target: string | number; conditional?: boolean }[];
}

export interface PlacedStage {
  id: string;
  x: number;
  y: number;
  width: number;
}

export interface PlacedWay {
  from: string;
  to: string;
  points: { x: number; y: number }[];
}

/** Where the stages of a graph stand, and how the ways between them run. */
export interface Layout {
  width: number;
  height: number;
  stages: PlacedStage[];
  ways: PlacedWay[];
}

export const STAGE_HEIGHT = 34;

/** Of a letter in the drawing's type (px). */
const LETTER = 7.8;

/** Letters beside a name, for the number of visits. */
const BESIDE = 3;

/** Lays a graph out in ranks, from the first stage to the end. */
export function layoutOf({ nodes, edges }: Wiring): Layout {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 26, ranksep: 38, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes)
    graph.setNode(String(id), {
      width: (nameOf(String(id)).length + BESIDE) * LETTER + 16,
      height: STAGE_HEIGHT,
    });
  for (const { source, target } of edges) graph.setEdge(String(source), String(target));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    stages: graph.nodes().map((id: string) => {
      const { x = 0, y = 0, width: wide = 0 } = graph.node(id) as Partial<PlacedStage>;
      return { id, x, y, width: wide };
    }),
    ways: graph.edges().map(({ v, w }: { v: string; w: string }) => {
      const { points = [] } = graph.edge(v, w) as { points?: PlacedWay["points"] };
      return { from: v, to: w, points };
    }),
  };
}

/** Only the stages that were visited, with the start and the end, and the ways between them. */
export function partOf({ nodes, edges }: Wiring, visited: readonly string[]): Wiring {
  const kept = new Set(["__start__", "__end__", ...visited]);
  return {
    nodes: nodes.filter(({ id }) => kept.has(String(id))),
    edges: edges.filter(
      ({ source, target }) => kept.has(String(source)) && kept.has(String(target)),
    ),
  };
}

/** The name of a stage; LangGraph's own ends in words. */
export function nameOf(id: string): string {
  if (id === "__start__") return "start";
  return id === "__end__" ? "end" : id;
}
