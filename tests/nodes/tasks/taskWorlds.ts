import * as fc from "fast-check";
import { advanceTask } from "../../../nodes/tasks/taskAgenda.js";
import type { Task, TaskTree } from "../../../state/state.js";
import { addPlan, changeCurrentTask, currentTask, plantTree } from "../../../state/taskTree.js";

/** What comes of each step of a made-up world; `turn` counts the visits of that step of that task. */
export interface World {
  /** Whether a search finds tools. */
  finds: (id: string, turn: number) => boolean;
  /** How many parts a plan has; less than two are none. */
  parts: (id: string, turn: number) => number;
  /** Whether the model tries one of the tools. */
  tries: (id: string, turn: number) => boolean;
  solves: (id: string) => boolean;
  /** Whether the model has other words. */
  rewords: (id: string, turn: number) => boolean;
  makesTool: (id: string) => boolean;
  aggregates: (id: string, turn: number) => boolean;
}

/** Most parts that a plan has. */
export const MOST_PARTS = 3;

/** How far trees grow. */
export const LIMITS = { taskDepth: 3, maxReplans: 1, maxParaphrases: 1 };

/** A world in which all goes well, but for what a test is about. */
export function world(changes: Partial<World>): World {
  return {
    finds: () => true,
    parts: () => 0,
    tries: () => true,
    solves: () => true,
    rewords: () => true,
    makesTool: () => true,
    aggregates: () => true,
    ...changes,
  };
}

/** Worlds of any luck. */
export function worlds(): fc.Arbitrary<World> {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  return fc
    .record({
      seed: fc.integer({ min: 0, max: 1_000_000 }),
      finding: share,
      luck: share,
    })
    .map(({ seed, finding, luck }) => {
      const drawn = (what: string, share: number) => (id: string, turn?: number) =>
        chance(seed, `${what} ${id} ${turn}`) < share;
      return {
        finds: drawn("find", finding),
        parts: (id, turn) => Math.floor(chance(seed, `parts ${id} ${turn}`) * (MOST_PARTS + 1)),
        tries: drawn("try", 0.7),
        solves: drawn("solve", luck),
        rewords: drawn("reword", 0.6),
        makesTool: drawn("make", luck),
        aggregates: drawn("aggregate", luck),
      };
    });
}

/** A number from 0 to 1 that only depends on the seed and the text. */
function chance(seed: number, text: string): number {
  let hash = 2_166_136_261 ^ seed;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Counts how often each thing is asked for. */
export function turns(): (key: string) => number {
  const counts = new Map<string, number>();
  return (key) => {
    const turn = (counts.get(key) ?? 0) + 1;
    counts.set(key, turn);
    return turn;
  };
}

/** The steps of the agenda, in order, and how the root ends. */
export function byAgenda(world: World, keep = (tree: TaskTree): TaskTree => tree): string[] {
  const log: string[] = [];
  const tree = workThrough(world, (at) => {
    log.push(`${currentTask(at)?.id} ${at.step}`);
    return keep(at);
  });
  return [...log, `1 ${tree.tasks[0]?.status}`];
}

/** The tree when its work is done. */
export function finished(world: World): TaskTree {
  return workThrough(world, (tree) => tree);
}

function workThrough(world: World, seen: (tree: TaskTree) => TaskTree): TaskTree {
  const turn = turns();
  let tree = plantTree("do it");
  while (tree.step !== "done") {
    tree = seen(tree);
    const task = currentTask(tree);
    if (!task) break;
    tree = advanceTask(withOutcome({ tree, task, world, turn }));
  }
  return tree;
}

/** The tree with what the world makes of its step. */
function withOutcome(options: {
  tree: TaskTree;
  task: Task;
  world: World;
  turn: (key: string) => number;
}): TaskTree {
  const { tree, task, world, turn } = options;
  const { id, text, wordings } = task;
  switch (tree.step) {
    case "search":
      return changeCurrentTask(tree, {
        tools: world.finds(id, turn(`find ${id}`)) ? ["tool"] : [],
      });
    case "decompose":
    case "replan": {
      const count = world.parts(id, turn(`parts ${id}`));
      return addPlan(
        tree,
        Array.from({ length: count }, (_, index) => `${id} part ${index + 1}`),
      );
    }
    case "solve": {
      const calls = world.tries(id, turn(`try ${id}`)) ? ["call"] : [];
      const solved = calls.length > 0 && world.solves(id);
      return changeCurrentTask(tree, {
        calls,
        status: solved ? "done" : "failed",
        result: `${id} ${solved ? "works" : "fails"}`,
      });
    }
    case "paraphrase": {
      const reworded = world.rewords(id, turn(`reword ${id}`)) ? `${text}, again` : text;
      return changeCurrentTask(tree, { wordings: [...wordings, text], text: reworded });
    }
    case "create":
      return changeCurrentTask(
        tree,
        world.makesTool(id) ? { created: "own", tools: ["own"] } : { status: "failed" },
      );
    case "aggregate":
      return changeCurrentTask(tree, {
        status: world.aggregates(id, turn(`aggregate ${id}`)) ? "done" : "failed",
      });
    default:
      return tree;
  }
}
