import { describe, expect, it } from "vitest";
import { BREAKFAST, robotWorld } from "../../../../tools/catalogs/robot/world.js";

const empty = { ...BREAKFAST, things: {} };
const definition = robotWorld({ scenes: { breakfast: BREAKFAST, empty }, start: "breakfast" });

describe("the robot's world", () => {
  it("begins with the named scene, or with the default one", () => {
    expect(definition.create().scene).toEqual(BREAKFAST);
    expect(definition.create("empty").scene).toEqual(empty);
    expect(() => definition.create("dinner")).toThrow(
      'unknown scene "dinner"; available: breakfast, empty',
    );
  });

  it("shares nothing with the scene, so that no run changes another", () => {
    const world = definition.create();
    delete world.scene.things["phone"];
    expect(definition.create().scene.things).toHaveProperty("phone");
  });

  it("is saved as what has changed, and loaded as it was", () => {
    const world = definition.create();
    world.scene.things["phone"] = {
      ...world.scene.things["phone"],
      kind: "phone",
      radius: 0.05,
      place: { heldBy: "Felix", takenFrom: [0.4, 0.8] },
    };
    world.log.push({ act: "hand over", thing: "phone", to: "Felix" });
    const saved: unknown = JSON.parse(JSON.stringify(definition.save(world)));
    expect(definition.load(saved)).toEqual(world);
    expect(definition.change?.(world)).toEqual({
      things: { phone: world.scene.things["phone"] },
      log: world.log,
    });
    expect(definition.change?.(definition.create())).toEqual({});
  });
});
