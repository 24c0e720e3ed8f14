import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskTree } from "../../../state/state.js";
import {
  LIMITS,
  MOST_PARTS,
  type World,
  byAgenda,
  finished,
  turns,
  world,
  worlds,
} from "./taskWorlds.js";

describe("the agenda of a task tree", () => {
  it("takes the same steps as the published recursion with its faults fixed", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        expect(byAgenda(world)).toEqual(byRecursion(world));
      }),
      { numRuns: 500 },
    );
  });

  it("can be continued from its own state after every step", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const kept = byAgenda(world, (tree) => JSON.parse(JSON.stringify(tree)) as TaskTree);
        expect(kept).toEqual(byAgenda(world));
      }),
    );
  });

  it("ends after a number of steps bounded by its limits", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        expect(byAgenda(world).length).toBeLessThanOrEqual(mostSteps());
      }),
    );
  });

  it("leaves no task open, and solves none whose parent was given up", () => {
    fc.assert(
      fc.property(worlds(), (world) => {
        const { tasks, agenda } = finished(world);
        expect(agenda).toEqual([]);
        expect(tasks.filter(({ status }) => status === "open")).toEqual([]);
        const level = Math.max(...tasks.map((task) => task.level));
        expect(level).toBeLessThanOrEqual(LIMITS.taskDepth);
      }),
    );
  });
});

describe("a task", () => {
  it("fails with all plans that were tried once the last one has failed", () => {
    const tree = finished(world({ parts: (id) => (id === "1" ? 2 : 0), solves: () => false }));
    expect(tree.tasks[0]).toMatchObject({
      status: "failed",
      result:
        "No plan for “do it” succeeded. Plan 1 (1 part 1; 1 part 2): “1 part 1” failed: 1.1 fails Plan 2 (1 part 1; 1 part 2): “1 part 1” failed: 1.1' fails",
    });
  });
});

/** The method as published: a function that calls itself for parts, new plans and new words alike. */
function byRecursion(world: World): string[] {
  const { taskDepth, maxReplans, maxParaphrases } = LIMITS;
  const log: string[] = [];
  const turn = turns();
  const plansOf = new Map<string, number>();
  const wordingsOf = new Map<string, number>();
  const step = (id: string, name: string) => log.push(`${id} ${name}`);

  const recurse = (id: string, level: number): boolean => {
    step(id, "search");
    const found = world.finds(id, turn(`find ${id}`));
    const plans = plansOf.get(id) ?? 0;
    if (level < taskDepth) {
      step(id, plans > 0 ? "replan" : "decompose");
      const count = world.parts(id, turn(`parts ${id}`));
      if (count > 1) return follow({ id, level, count, plans });
    }
    if (!found) return withoutTools(id, level);
    const end = solve(id);
    return end === "unfit" ? withoutTools(id, level) : end === "solved";
  };

  const follow = (plan: { id: string; level: number; count: number; plans: number }): boolean => {
    const { id, level, count, plans } = plan;
    plansOf.set(id, plans + 1);
    const parts = Array.from(
      { length: count },
      (_, index) => `${id}.${index + 1}${"'".repeat(plans)}`,
    );
    if (parts.every((part) => recurse(part, level + 1))) {
      step(id, "aggregate");
      if (world.aggregates(id, turn(`aggregate ${id}`))) return true;
    }
    return plans + 1 > maxReplans ? false : recurse(id, level);
  };

  const solve = (id: string): "solved" | "unfit" | "failed" => {
    step(id, "solve");
    if (!world.tries(id, turn(`try ${id}`))) return "unfit";
    return world.solves(id) ? "solved" : "failed";
  };

  const withoutTools = (id: string, level: number): boolean => {
    const wordings = wordingsOf.get(id) ?? 0;
    if (wordings < maxParaphrases) {
      step(id, "paraphrase");
      wordingsOf.set(id, wordings + 1);
      if (world.rewords(id, turn(`reword ${id}`))) return recurse(id, level);
    }
    step(id, "create");
    return world.makesTool(id) && solve(id) === "solved";
  };

  const solved = recurse("1", 0);
  return [...log, solved ? "1 done" : "1 failed"];
}

/** Each task may be searched for and planned after each failed plan and in all wordings, its parts likewise. */
function mostSteps(level = 0): number {
  const { taskDepth, maxReplans, maxParaphrases } = LIMITS;
  const searches = 1 + maxReplans + maxParaphrases;
  const plans = maxReplans + 1;
  const own = 3 * searches + plans + maxParaphrases + 2;
  // The last of the log is how the root ends.
  const end = level === 0 ? 1 : 0;
  if (level === taskDepth) return own + end;
  const below = mostSteps(level + 1);
  return own + plans * MOST_PARTS * below + end;
}
