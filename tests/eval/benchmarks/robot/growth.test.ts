import { describe, expect, it } from "vitest";
import { ROBOT_TASKS } from "../../../../eval/benchmarks/robot/robotTask.js";
import { ROBOT_SCENES } from "../../../../eval/benchmarks/robot/scenes.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import { SKILLS } from "../../../fixtures/robot/skills.js";
import { tableOf, type TestTable } from "../../../tools/catalogs/robot/support.js";

const { "closed loop": CLOSED_LOOP, "many steps": MANY_STEPS } = ROBOT_TASKS;

/**
 * Enough to look for tools, write one, call it and answer; too few for the calls of the shipped tools one
 * by one.
 */
const MOST_MODEL_CALLS = 8;

const definition = robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" });

describe("the tasks that need a new tool", () => {
  it("are at least six, each with a tool as a model might write it", () => {
    const tasks = [...CLOSED_LOOP, ...MANY_STEPS];
    expect(SKILLS.map(({ task }) => task)).toEqual(tasks.map(({ id }) => id));
    expect(SKILLS.length).toBeGreaterThanOrEqual(6);
    for (const { maxModelCalls } of tasks) expect(maxModelCalls).toBe(MOST_MODEL_CALLS);
  });

  it.each(SKILLS)("leave model calls to spare to whoever writes it: $task", ({ calls }) => {
    // One to search, one to ask for the tool, one to write it, one for each call, one to answer.
    expect(3 + calls.length + 1).toBeLessThan(MOST_MODEL_CALLS);
  });
});

describe("a closed loop", () => {
  it.each(CLOSED_LOOP)(
    "takes more rounds of looking and moving in $id than a run has model calls",
    async ({ expected: { start } }) => {
      const table = tableOf({ definition, start });
      const rounds = await roundsOf(table, () =>
        start === "row before the phone" ? hiderOfPhone(table) : blockerOf(table, behindRow(start)),
      );
      expect(rounds).toBeGreaterThan(MOST_MODEL_CALLS);
    },
  );

  it("names the second in a row in no look before the first is gone", async () => {
    const table = tableOf({ definition, start: "row before the phone" });
    const named = new Set<unknown>();
    for (const object_name of Object.keys(table.world().scene.things)) {
      const args = { person_name: "Felix", object_name };
      const seen = await table.call("check_hindering_reasons", args);
      named.add((seen as Record<string, unknown>)["hidden_by"]);
    }
    expect([...named].filter((name) => name !== undefined)).toEqual(["rice"]);
  });
});

describe("a task of many steps", () => {
  it.each(MANY_STEPS)("is too long for one call at a time: $id", ({ gold }) => {
    // With one look before and one answer after.
    expect(gold.length + 2).toBeGreaterThan(MOST_MODEL_CALLS);
  });

  it("has no shorter way to even out the glasses: no few of them are even among themselves", () => {
    const glasses = Object.values(ROBOT_SCENES["uneven glasses"]?.things ?? {});
    const amounts = glasses.map(({ contents }) => contents?.["water"] ?? 0);
    expect(amounts).toHaveLength(9);
    const average = amounts.reduce((sum, ml) => sum + ml, 0) / amounts.length;
    const choices = Array.from({ length: 2 ** amounts.length - 2 }, (_, index) => index + 1);
    const balanced = choices.filter(
      (chosen) =>
        amounts.reduce((sum, ml, at) => sum + (chosen & (1 << at) ? ml - average : 0), 0) === 0,
    );
    expect(balanced).toEqual([]);
  });
});

/** Moves what is named until nothing is; one round does everything that is possible with what is known. */
async function roundsOf(table: TestTable, named: () => Promise<string | undefined>) {
  let rounds = 1;
  for (let blocker = await named(); blocker !== undefined; blocker = await named()) {
    const args = { object_name: blocker, away_from: "Felix" };
    await table.call("move_object_away_from_person", args);
    rounds += 1;
  }
  return rounds;
}

async function hiderOfPhone(table: TestTable): Promise<string | undefined> {
  const args = { person_name: "Felix", object_name: "phone" };
  const found = await table.call("check_hindering_reasons", args);
  return (found as { hidden_by?: string }).hidden_by;
}

async function blockerOf(table: TestTable, object_name: string): Promise<string | undefined> {
  const found = await table.call("check_reach_object_for_robot", { object_name });
  return (found as { blocked_by?: string }).blocked_by;
}

function behindRow(start: string): string {
  return start === "row before the robot" ? "blue_glass" : "bottle_of_iced_tea";
}
