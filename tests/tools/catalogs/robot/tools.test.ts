import { describe, expect, it } from "vitest";
import { BREAKFAST } from "../../../../tools/catalogs/robot/world.js";
import type { Agent, Scene, Thing } from "../../../../tools/catalogs/robot/state.js";
import { tableWith } from "./support.js";

const DANIEL = BREAKFAST.agents["Daniel"] as Agent;
const GLASS = BREAKFAST.things["red_glass"] as Thing;

/** The breakfast with Daniel at work. */
const BUSY: Scene = {
  ...BREAKFAST,
  agents: { ...BREAKFAST.agents, Daniel: { ...DANIEL, busyWith: "mixing the salad" } },
};

const give = (object_name: string, person_name: string) =>
  ["hand_object_over_to_person", { object_name, person_name }] as const;

const pour = (source: string, target: string, amount_ml?: number) =>
  [
    "pour_into",
    {
      source_container_name: source,
      target_container_name: target,
      ...(amount_ml === undefined ? {} : { amount_ml }),
    },
  ] as const;

describe("looking", () => {
  it("lists all things with their contents and who holds them", async () => {
    const table = tableWith();
    await table.call(...give("red_glass", "Felix"));
    expect(await table.call("get_objects")).toEqual(
      expect.arrayContaining([
        {
          name: "bottle_of_iced_tea",
          kind: "bottle",
          capacity_ml: 500,
          contents_ml: { "iced tea": 400 },
        },
        { name: "red_glass", kind: "glass", held_by: "Felix", capacity_ml: 250, contents_ml: {} },
        { name: "phone", kind: "phone" },
      ]),
    );
    expect(await table.call("get_agents")).toEqual([
      { name: "Felix", kind: "person", holds: ["red_glass"] },
      { name: "Daniel", kind: "person", holds: [] },
      { name: "Robot", kind: "robot", holds: [] },
    ]);
  });

  it("tells whether a person is busy, and with what", async () => {
    const table = tableWith(BUSY);
    const ask = (person_name: string) => table.call("is_person_busy_or_idle", { person_name });
    expect(await ask("Felix")).toEqual({ person: "Felix", busy: false });
    expect(await ask("Daniel")).toEqual({
      person: "Daniel",
      busy: true,
      busy_with: "mixing the salad",
    });
  });

  it.each([
    ["nothing", "Felix", "phone", { hindered: false, distance_m: 0.54 }],
    ["too long a way", "Felix", "red_glass", { hindered: true, can_see: true, can_reach: false }],
    [
      "something in front",
      "Felix",
      "blue_glass",
      { hindered: true, can_see: false, hidden_by: "cereals", can_reach: false },
    ],
    ["nothing that is in front for another", "Daniel", "blue_glass", { can_see: true }],
    [
      "work",
      "Daniel",
      "bottle_of_cola",
      { hindered: true, can_reach: true, busy_with: "mixing the salad" },
    ],
  ])("tells that %s hinders a person", async (_what, person_name, object_name, expected) => {
    const found = tableWith(BUSY).call("check_hindering_reasons", { person_name, object_name });
    expect(await found).toMatchObject(expected);
  });

  it("tells what keeps the robot from taking a thing: one in front, too far, in a hand", async () => {
    const behind: Scene = {
      ...BREAKFAST,
      agents: { ...BREAKFAST.agents, Robot: { ...BREAKFAST.agents["Robot"], ...SHORT } },
      things: { ...BREAKFAST.things, cup: { ...GLASS, place: { at: [0.78, 0.92] } } },
    };
    const table = tableWith(behind);
    const ask = (object_name: string) =>
      table.call("check_reach_object_for_robot", { object_name });
    expect(await ask("cup")).toEqual({ object: "cup", can_reach: false, blocked_by: "cereals" });
    expect(await ask("red_glass")).toEqual({ object: "red_glass", can_reach: true });
    expect(await ask("phone")).toMatchObject({ can_reach: false, too_far: true });
    await table.call(...give("red_glass", "Felix"));
    expect(await ask("red_glass")).toEqual({
      object: "red_glass",
      can_reach: false,
      held_by: "Felix",
    });
  });

  it("changes nothing", async () => {
    const table = tableWith();
    await table.call("get_objects");
    await table.call("get_agents");
    await table.call("check_hindering_reasons", { person_name: "Felix", object_name: "phone" });
    expect(table.change()).toEqual({});
  });
});

/** An arm that does not reach the ends of the table. */
const SHORT = {
  kind: "robot",
  at: [1.2, -0.2] as [number, number],
  reach: 1.25,
  hands: 1,
} as const;

describe("pouring", () => {
  it("fills the target as far as it goes, and keeps the source in hand", async () => {
    const table = tableWith();
    expect(await table.call(...pour("bottle_of_cola", "red_glass"))).toBe(
      "You poured 250 ml from the bottle_of_cola into the red_glass. The bottle_of_cola holds 250 ml of cola. The red_glass holds 250 ml of cola.",
    );
    expect(table.world().scene.things["bottle_of_cola"]?.place).toMatchObject({ heldBy: "Robot" });
  });

  it("pours the amount that is wanted, into a glass that a person holds, too", async () => {
    const table = tableWith();
    await table.call(...give("red_glass", "Felix"));
    await table.call(...pour("bottle_of_cola", "red_glass", 100));
    await table.call(...pour("bottle_of_iced_tea", "red_glass", 50));
    expect(table.world().scene.things["red_glass"]?.contents).toEqual({
      cola: 100,
      "iced tea": 50,
    });
  });

  it("pours mixed liquids in proportion", async () => {
    const table = tableWith();
    await table.call(...pour("bottle_of_cola", "red_glass", 150));
    await table.call(...pour("bottle_of_iced_tea", "red_glass", 50));
    await table.call(...pour("red_glass", "blue_glass", 100));
    expect(table.world().scene.things["blue_glass"]?.contents).toEqual({
      cola: 75,
      "iced tea": 25,
    });
  });

  it.each([
    ["from nothing", pour("red_glass", "blue_glass"), "the red_glass is empty"],
    ["into itself", pour("red_glass", "the red glass"), "cannot be poured into itself"],
    [
      "into what is not a container",
      pour("bottle_of_cola", "phone"),
      "the phone is not a container; containers are: bottle_of_cola, bottle_of_iced_tea, red_glass, blue_glass",
    ],
    ["next to nothing", pour("bottle_of_cola", "red_glass", 0.01), "must be 0.1 or more; got 0.01"],
  ])("is refused %s", async (_what, call, problem) => {
    const table = tableWith();
    await expect(table.call(...call)).rejects.toThrow(problem);
    expect(table.change()).toEqual({});
  });

  it("is refused into a full glass", async () => {
    const table = tableWith();
    await table.call(...pour("bottle_of_cola", "red_glass"));
    await expect(table.call(...pour("bottle_of_cola", "red_glass"))).rejects.toThrow(
      "the red_glass is full",
    );
  });
});

describe("handing over", () => {
  it("puts down what the robot holds where it stood, and continues", async () => {
    const table = tableWith();
    await table.call(...pour("bottle_of_cola", "red_glass"));
    expect(await table.call(...give("red_glass", "Felix"))).toBe(
      "You put down the bottle_of_cola. You handed the red_glass over to Felix.",
    );
    const { scene, log } = table.world();
    expect(scene.things["bottle_of_cola"]?.place).toEqual(
      BREAKFAST.things["bottle_of_cola"]?.place,
    );
    expect(log.map(({ act }) => act)).toEqual(["pour", "put down", "hand over"]);
  });

  it("is refused to a busy person, and says what to do instead", async () => {
    await expect(tableWith(BUSY).call(...give("red_glass", "Daniel"))).rejects.toThrow(
      "Daniel is busy mixing the salad and has no hand free; move_object_to_person puts it near Daniel",
    );
  });

  it("is refused to full hands, of what is held already, and of what another person holds", async () => {
    const table = tableWith();
    await table.call(...give("red_glass", "Felix"));
    await expect(table.call(...give("red_glass", "Felix"))).rejects.toThrow("holds the red_glass");
    await expect(table.call(...give("red_glass", "Daniel"))).rejects.toThrow(
      "the robot cannot take the red_glass: Felix holds it",
    );
    await table.call(...give("phone", "Felix"));
    await expect(table.call(...give("blue_glass", "Felix"))).rejects.toThrow(
      "Felix has no hand free and holds: red_glass, phone",
    );
  });
});

describe("moving", () => {
  it("puts a thing where the person sees and reaches it", async () => {
    const table = tableWith();
    const moved = { object_name: "blue_glass", person_name: "Felix" };
    await table.call("move_object_to_person", moved);
    expect(await table.call("check_hindering_reasons", moved)).toMatchObject({ hindered: false });
  });

  it("puts a thing away where the person does not reach it and it hides nothing", async () => {
    const table = tableWith();
    const args = { object_name: "cereals", away_from: "Felix" };
    await table.call("move_object_away_from_person", args);
    const asked = { person_name: "Felix", object_name: "cereals" };
    expect(await table.call("check_hindering_reasons", asked)).toMatchObject({ can_reach: false });
    for (const object_name of Object.keys(BREAKFAST.things)) {
      for (const person_name of ["Felix", "Daniel"]) {
        const found = await table.call("check_hindering_reasons", { person_name, object_name });
        expect(found).toMatchObject({ can_see: true });
      }
    }
  });
});

describe("speaking and pointing", () => {
  it("is noted with who was meant, in its order", async () => {
    const table = tableWith();
    await table.call("speak", { person_name: "all", text: "Good morning!" });
    await table.call("point_at_object_or_agent", { name: "the red glass" });
    expect(table.change()).toEqual({
      log: [
        { act: "speak", to: "All", text: "Good morning!" },
        { act: "point", at: "red_glass" },
      ],
    });
  });

  it("is refused without words", async () => {
    await expect(tableWith().call("speak", { person_name: "All", text: " " })).rejects.toThrow(
      "text is empty",
    );
  });
});

describe("an unknown name", () => {
  const things = "bottle_of_cola, bottle_of_iced_tea, red_glass, blue_glass, cereals, phone";

  it.each([
    ["check_reach_object_for_robot", { object_name: "tv" }, things],
    ["check_hindering_reasons", { person_name: "Zoe", object_name: "phone" }, "Felix, Daniel"],
    ["is_person_busy_or_idle", { person_name: "Robot" }, "Felix, Daniel"],
    ["hand_object_over_to_person", { object_name: "tv", person_name: "Felix" }, things],
    ["move_object_to_person", { object_name: "phone", person_name: "Zoe" }, "Felix, Daniel"],
    ["move_object_away_from_person", { object_name: "tv", away_from: "Felix" }, things],
    ["speak", { person_name: "Zoe", text: "Hello" }, "Felix, Daniel, All"],
    ["point_at_object_or_agent", { name: "tv" }, `${things}, Felix, Daniel, Robot`],
  ])("is refused by %s with the known ones", async (tool, args, names) => {
    await expect(tableWith().call(tool, args)).rejects.toThrow(`available: ${names}`);
  });
});
