import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SearchShape, advance } from "../../../nodes/stepSearch/agenda.js";
import type { Tree, TreeNode } from "../../../state/state.js";
import { emptyTree } from "../../../state/searchTree.js";

/** What a made-up model does at a place in the tree: a name such as "0.1" for the path of tries. */
type Model = (path: string) => { end?: "answer" | "gaveUp"; depth: number };

/** Whether the first of two siblings wins when they are shown in this order. */
type Voter = (first: string, second: string) => boolean;

interface Search {
  shape: SearchShape;
  model: Model;
  voter: Voter;
}

describe("the agenda of a search over steps", () => {
  it("asks, votes and ends exactly as the published recursion does", () => {
    fc.assert(
      fc.property(searches(), (search) => {
        expect(byAgenda(search)).toEqual(byRecursion(search));
      }),
      { numRuns: 500 },
    );
  });

  it("can be continued from its own state after every move", () => {
    fc.assert(
      fc.property(searches(), (search) => {
        const kept = byAgenda({ ...search }, (tree) => JSON.parse(JSON.stringify(tree)) as Tree);
        expect(kept).toEqual(byAgenda(search));
      }),
    );
  });
});

function searches(): fc.Arbitrary<Search> {
  return fc
    .record({
      width: fc.integer({ min: 1, max: 3 }),
      vote: fc.boolean(),
      maxDepth: fc.integer({ min: 2, max: 7 }),
      seed: fc.integer({ min: 0, max: 1_000_000 }),
      ends: fc.double({ min: 0, max: 0.6, noNaN: true }),
    })
    .map(({ width, vote, maxDepth, seed, ends }) => ({
      shape: { width, vote, maxDepth, maxQueries: 200 },
      model: (path) => {
        const luck = chance(seed, path);
        const end = luck < ends / 2 ? "answer" : luck < ends ? "gaveUp" : undefined;
        return { depth: chance(seed, `depth ${path}`) < 0.5 ? 2 : 3, ...(end ? { end } : {}) };
      },
      voter: (first, second) => chance(seed, `vote ${first} ${second}`) < 0.5,
    }));
}

/** A number from 0 to 1 that only depends on the seed and the text. */
function chance(seed: number, text: string): number {
  let hash = 2_166_136_261 ^ seed;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** What the agenda asks for, in order. */
function byAgenda({ shape, model, voter }: Search, keep = (tree: Tree): Tree => tree): string[] {
  const log: string[] = [];
  const paths = new Map([[0, ""]]);
  const pathOf = (id: number) => paths.get(id) ?? "?";
  let tree = emptyTree();
  while (true) {
    const moved = advance(keep(tree), shape);
    const { next } = moved;
    tree = moved.tree;
    if (next.kind === "exhausted") return [...log, "exhausted"];
    if (next.kind === "answer") return [...log, `answer ${pathOf(next.node)}`];
    if (next.kind === "vote") {
      const [first, second] = next.ballot;
      log.push(`vote ${pathOf(first)} ${pathOf(second)}`);
      const winner = voter(pathOf(first), pathOf(second)) ? first : second;
      tree = { ...tree, votes: [...tree.votes, { first, second, winner }] };
      continue;
    }
    log.push(`ask ${pathOf(next.node)}`);
    const tries = tree.nodes.filter(({ parent }) => parent === next.node).length;
    const path = [pathOf(next.node), tries].filter((part) => part !== "").join(".");
    const { end, depth } = model(path);
    const step = madeStep({ tree, parent: next.node, depth, end });
    paths.set(step.id, path);
    tree = withStep(tree, step);
  }
}

function madeStep(options: {
  tree: Tree;
  parent: number;
  depth: number;
  end?: "answer" | "gaveUp";
}): TreeNode {
  const { tree, parent, depth, end } = options;
  const above = tree.nodes[parent]?.depth ?? 0;
  const step = { id: tree.nodes.length, parent, depth: above + depth, text: "", calls: [] };
  return end ? { ...step, end } : step;
}

function withStep(tree: Tree, step: TreeNode): Tree {
  const agenda = tree.agenda.map((frame) =>
    frame.node === step.parent ? { ...frame, children: [...frame.children, step.id] } : frame,
  );
  return { ...tree, nodes: [...tree.nodes, step], agenda };
}

/** The search as ToolBench and BTP describe it: a function that calls itself. */
function byRecursion({ shape, model, voter }: Search): string[] {
  const log: string[] = [];
  const found = 10_000;
  const expand = (path: string, depth: number, end?: "answer" | "gaveUp"): number => {
    if (end === "answer") {
      log.push(`answer ${path}`);
      return found;
    }
    if (end === "gaveUp") return 2;
    if (depth >= shape.maxDepth) return 1;
    const made: { path: string; depth: number; end?: "answer" | "gaveUp" }[] = [];
    for (let index = 0; index < shape.width; index++) {
      log.push(`ask ${path}`);
      const child = [path, index].filter((part) => part !== "").join(".");
      const step = model(child);
      made.push({ path: child, depth: depth + step.depth, end: step.end });
      if (shape.vote) continue;
      const back = expand(child, depth + step.depth, step.end);
      if (back === found) return found;
      if (back > 1) return back - 1;
    }
    if (!shape.vote) return 1;
    for (const child of inOrderOfVotes(made, { voter, log })) {
      const back = expand(child.path, child.depth, child.end);
      if (back === found) return found;
      if (back > 1) return back - 1;
    }
    return 1;
  };
  return expand("", 0) === found ? log : [...log, "exhausted"];
}

function inOrderOfVotes<Step extends { path: string }>(
  made: Step[],
  { voter, log }: { voter: Voter; log: string[] },
): Step[] {
  const wins = new Map<string, number>();
  for (const one of made) {
    for (const other of made.filter((each) => each !== one)) {
      log.push(`vote ${one.path} ${other.path}`);
      const first = voter(one.path, other.path);
      const winner = first ? one.path : other.path;
      wins.set(`${one.path} ${other.path} ${winner}`, 1);
    }
  }
  const points = (one: Step): number =>
    made
      .filter((other) => other !== one)
      .reduce((sum, other) => {
        const won =
          (wins.get(`${one.path} ${other.path} ${one.path}`) ?? 0) +
          (wins.get(`${other.path} ${one.path} ${one.path}`) ?? 0);
        return sum + won / 2;
      }, 0);
  return made.toSorted((one, other) => points(other) - points(one));
}
