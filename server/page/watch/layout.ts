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

export const STAGE_HEIGHT = 34;

/** Of a letter in the drawing's type (px). */
const LETTER = 7.8;

/** Letters beside a name, for the number of visits. */
const BESIDE = 4;

const MARGIN = 12;

/** Lays a graph out in ranks, from the first stage to the end. */
export function layoutOf({ nodes, edges }: Wiring) {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 26, ranksep: 38, marginy: MARGIN });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes)
    graph.setNode(String(id), {
      width: (nameOf(String(id)).length + BESIDE) * LETTER + 16,
      height: STAGE_HEIGHT,
    });
  for (const { source, target } of edges)
    if (source !== target) graph.setEdge(String(source), String(target));
  layout(graph);
  const { height = 0 } = graph.graph() as { height?: number };
  const stages: PlacedStage[] = graph.nodes().map((id: string): PlacedStage => {
    const { x = 0, y = 0, width: wide = 0 } = graph.node(id) as Partial<PlacedStage>;
    return { id, x, y, width: wide };
  });
  const ways: PlacedWay[] = graph.edges().map(({ v, w }: { v: string; w: string }): PlacedWay => {
    const { points = [] } = graph.edge(v, w) as { points?: PlacedWay["points"] };
    return { from: v, to: w, points };
  });
  const again = stages.filter(({ id }: PlacedStage) =>
    edges.some(({ source, target }) => source === id && target === id),
  );
  ways.push(...again.map(wayBack));
  // The package does not count ways that lead around the stages.
  const sides = stages.flatMap(({ x, width }: PlacedStage) => [x - width / 2, x + width / 2]);
  const all = [...sides, ...ways.flatMap(({ points }: PlacedWay) => points.map(({ x }) => x))];
  const left = Math.min(...all) - MARGIN;
  return { left, width: Math.max(...all) + MARGIN - left, height, stages, ways };
}

/** The way from a stage to itself, beside its box. */
function wayBack({ id, x, y, width }: PlacedStage): PlacedWay {
  const at = (right: number, down: number) => ({ x: x + width / 2 + right, y: y + down });
  return { from: id, to: id, points: [at(0, 9), at(13, 9), at(13, -9), at(0, -9)] };
}

/** Only the stages that were visited, with the start and the end, and the ways between them. */
export function partOf({ nodes, edges }: Wiring, visited: readonly string[]): Wiring {
  const kept = new Set(["__start__", "__end__", ...visited]);
  const ways = edges.filter(
    ({ source, target }) => kept.has(String(source)) && kept.has(String(target)),
  );
  const ends = new Set(["__start__", ...ways.flatMap(({ source, target }) => [source, target])]);
  return { nodes: nodes.filter(({ id }) => ends.has(id)), edges: ways };
}

/** The name of a stage; LangGraph's own ends in words. */
export function nameOf(id: string): string {
  if (id === "__start__") return "start";
  return id === "__end__" ? "end" : id;
}
