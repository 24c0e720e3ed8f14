import type { Tree, TreeNode } from "../../state/state.js";

export interface SearchShape {
  /** Steps tried at each node: 1 makes a chain (ReAct). */
  width: number;
  /** Whether all siblings are made first, then followed in the order of a vote (ToT). */
  vote: boolean;
  /** Nodes this deep are not followed further; a thought, an action and its input count one each. */
  maxDepth: number;
  /** Model calls (steps and votes) after which the search ends. */
  maxQueries: number;
}

export type NextMove =
  | { kind: "ask"; node: number }
  | { kind: "vote"; ballot: [number, number] }
  | { kind: "answer"; node: number }
  | { kind: "exhausted" };

type Frame = Tree["agenda"][number];

/**
 * How many levels back an ended branch leads, as published: giving up skips the siblings of the previous step
 * too, a branch that is too deep only itself.
 */
const LEVELS_BACK = { gaveUp: 2, tooDeep: 1, done: 1 };

/** Follows the agenda to the next thing a model must do (depth first; ToolBench's DFS as a loop). */
export function advance(tree: Tree, shape: SearchShape): { tree: Tree; next: NextMove } {
  const search: Search = { tree, shape, frames: [...tree.agenda], back: 0 };
  let next: NextMove | undefined;
  while (!next) next = moveOn(search);
  return { tree: { ...search.tree, agenda: search.frames }, next };
}

interface Search {
  tree: Tree;
  shape: SearchShape;
  /** The innermost is the last. */
  frames: Frame[];
  /** Levels back that the last ended branch leads. */
  back: number;
}

function moveOn(search: Search): NextMove | undefined {
  const { frames, shape } = search;
  const frame = frames.at(-1);
  if (!frame) return { kind: "exhausted" };
  if (search.back > 1) {
    frames.pop();
    search.back -= 1;
    return undefined;
  }
  search.back = 0;
  const wanted = frame.children.length < shape.width;
  if (shape.vote && wanted && frame.followed === 0) return { kind: "ask", node: frame.node };
  const ballot = shape.vote ? nextBallot(search, frame) : undefined;
  if (ballot) return { kind: "vote", ballot };
  return follow(search, shape.vote ? ranked(search, frame) : frame);
}

/** Goes to the next child, asks for one more, or leaves the node. */
function follow(search: Search, frame: Frame): NextMove | undefined {
  const { frames, shape } = search;
  const child = frame.children[frame.followed];
  if (child === undefined) {
    if (!shape.vote && frame.children.length < shape.width)
      return { kind: "ask", node: frame.node };
    frames.pop();
    search.back = LEVELS_BACK.done;
    return undefined;
  }
  frames[frames.length - 1] = { ...frame, followed: frame.followed + 1 };
  return enter(search, child);
}

function enter(search: Search, id: number): NextMove | undefined {
  const node = search.tree.nodes[id];
  if (node?.end === "answer") return { kind: "answer", node: id };
  if (node?.end === "gaveUp") search.back = LEVELS_BACK.gaveUp;
  else if ((node?.depth ?? 0) >= search.shape.maxDepth) search.back = LEVELS_BACK.tooDeep;
  else search.frames.push({ node: id, children: [], followed: 0 });
  return undefined;
}

/** The next pair of siblings to compare; every pair is shown in both orders. */
function nextBallot({ tree }: Search, { children }: Frame): [number, number] | undefined {
  if (children.every((id) => tree.nodes[id]?.points !== undefined)) return undefined;
  const pairs = children.flatMap((first) =>
    children
      .filter((second) => second !== first)
      .map((second): [number, number] => [first, second]),
  );
  return pairs.find(
    ([first, second]) => !tree.votes.some((vote) => vote.first === first && vote.second === second),
  );
}

/** The frame with its children ordered by points; ties keep creation order. */
function ranked(search: Search, frame: Frame): Frame {
  const { tree, frames } = search;
  if (frame.followed > 0 || tree.votes.length === 0) return frame;
  const points = new Map(frame.children.map((id) => [id, pointsOf(tree, frame, id)]));
  const scored = (node: TreeNode): TreeNode =>
    points.has(node.id) ? { ...node, points: points.get(node.id) } : node;
  search.tree = { ...tree, votes: [], nodes: tree.nodes.map(scored) };
  const children = frame.children.toSorted((a, b) => (points.get(b) ?? 0) - (points.get(a) ?? 0));
  const inOrder = { ...frame, children };
  frames[frames.length - 1] = inOrder;
  return inOrder;
}

/** A sibling that wins in both orders gets a point; if the verdicts differ, each gets half. */
function pointsOf({ votes }: Tree, { children }: Frame, id: number): number {
  return children
    .filter((other) => other !== id)
    .reduce((sum, other) => {
      const winners = votes
        .filter(({ first, second }) => [first, second].every((one) => one === id || one === other))
        .map(({ winner }) => winner);
      if (winners.every((winner) => winner === id)) return sum + 1;
      return winners.every((winner) => winner === other) ? sum : sum + 1 / 2;
    }, 0);
}
