import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROBOT_SCENES } from "../../../../eval/benchmarks/robot/scenes.js";
import { distanceOf } from "../../../../tools/catalogs/robot/spots.js";
import type { Point, Scene, Thing } from "../../../../tools/catalogs/robot/state.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import { tableOf } from "./support.js";

const definition = robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" });

/** Sequences of calls over the names of a scene, right and wrong ones among them. */
function callsOn({ things, agents }: Scene) {
  const thing = fc.constantFrom(...Object.keys(things));
  const agent = fc.constantFrom(...Object.keys(agents));
  const call = fc.oneof(
    fc.record({
      tool: fc.constant("pour_into"),
      args: fc.record(
        {
          source_container_name: thing,
          target_container_name: thing,
          amount_ml: fc.double({ min: -10, max: 600, noNaN: true }),
        },
        { requiredKeys: ["source_container_name", "target_container_name"] },
      ),
    }),
    fc.record({
      tool: fc.constantFrom("hand_object_over_to_person", "move_object_to_person"),
      args: fc.record({ object_name: thing, person_name: agent }),
    }),
    fc.record({
      tool: fc.constant("move_object_away_from_person"),
      args: fc.record({ object_name: thing, away_from: agent }),
    }),
  );
  return fc.array(call, { minLength: 1, maxLength: 12 });
}

const SHOWN = Object.entries(ROBOT_SCENES).filter(([name]) =>
  ["breakfast", "daniel busy", "row before the bottle", "party"].includes(name),
);

const runs = fc
  .constantFrom(...SHOWN)
  .chain(([start, scene]) => callsOn(scene).map((calls) => ({ start, calls })));

function liquidsIn({ things }: Scene): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { contents = {} } of Object.values(things)) {
    for (const [liquid, ml] of Object.entries(contents)) sums[liquid] = (sums[liquid] ?? 0) + ml;
  }
  return sums;
}

function standing({ things }: Scene): { at: Point; thing: Thing }[] {
  return Object.values(things).flatMap((thing) =>
    "at" in thing.place ? [{ at: thing.place.at, thing }] : [],
  );
}

function requireSound(scene: Scene, before: Scene): void {
  expect(Object.keys(scene.things)).toEqual(Object.keys(before.things));
  for (const [name, { place, capacity, contents = {} }] of Object.entries(scene.things)) {
    expect("at" in place, `${name} is in one place`).not.toBe("heldBy" in place);
    const amounts = Object.values(contents);
    expect(amounts.every((ml) => ml > 0)).toBe(true);
    expect(amounts.reduce((sum, ml) => sum + ml, 0)).toBeLessThanOrEqual((capacity ?? 0) + 1e-6);
  }
  for (const [name, { hands }] of Object.entries(scene.agents)) {
    const held = Object.values(scene.things).filter(
      ({ place }) => "heldBy" in place && place.heldBy === name,
    );
    expect(held.length).toBeLessThanOrEqual(hands);
  }
  const { length, depth } = scene.table;
  const things = standing(scene);
  for (const [index, { at, thing }] of things.entries()) {
    expect(at[0] >= 0 && at[0] <= length && at[1] >= 0 && at[1] <= depth).toBe(true);
    for (const other of things.slice(index + 1)) {
      expect(distanceOf(at, other.at)).toBeGreaterThanOrEqual(
        thing.radius + other.thing.radius - 1e-9,
      );
    }
  }
  const [now, then] = [liquidsIn(scene), liquidsIn(before)];
  for (const [liquid, ml] of Object.entries(then)) expect(now[liquid]).toBeCloseTo(ml, 3);
}

describe("whatever the robot does", () => {
  it("nothing is in two places, no hand overfull, no liquid lost, and only a refused call changes nothing", async () => {
    expect.hasAssertions();
    await fc.assert(
      fc.asyncProperty(runs, async ({ start, calls }) => {
        const table = tableOf({ definition, start });
        const before = table.world().scene;
        expect(before).toEqual(ROBOT_SCENES[start]);
        for (const { tool, args } of calls) {
          const then = table.world();
          const isRefused = await table.call(tool, args).then(
            () => false,
            () => true,
          );
          requireSound(table.world().scene, before);
          const isAsBefore = isDeepStrictEqual(table.world(), then);
          expect(isAsBefore).toBe(isRefused);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("the same calls lead to the same table", async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ start, calls }) => {
        const ends = [];
        for (let time = 0; time < 2; time += 1) {
          const table = tableOf({ definition, start });
          for (const { tool, args } of calls) await table.call(tool, args).catch(() => undefined);
          ends.push(table.change());
        }
        expect(ends[0]).toEqual(ends[1]);
      }),
      { numRuns: 20 },
    );
  });
});
