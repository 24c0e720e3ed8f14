import { describe, expect, it } from "vitest";
import { judgeRobot } from "../../../../eval/benchmarks/robot/judgeRobot.js";
import { ROBOT_TASKS } from "../../../../eval/benchmarks/robot/robotTask.js";
import { ROBOT_SCENES } from "../../../../eval/benchmarks/robot/scenes.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import { tableOf } from "../../../tools/catalogs/robot/support.js";

const { "closed loop": CLOSED_LOOP, "many steps": MANY_STEPS } = ROBOT_TASKS;

const definition = robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" });

type Calls = [tool: string, args: Record<string, unknown>][];

/** The judgement of a run that makes these calls in a task. */
async function judged(id: string, calls: Calls) {
  const task = Object.values(ROBOT_TASKS)
    .flat()
    .find((each) => each.id === id);
  if (!task) throw new Error(`there is no task ${id}`);
  const table = tableOf({ definition, start: task.expected.start });
  for (const [tool, args] of calls) await table.call(tool, args);
  return judgeRobot(task.expected, table.change());
}

const say = (person_name: string, text: string): Calls[number] => ["speak", { person_name, text }];
const hand = (object_name: string, person_name: string): Calls[number] => [
  "hand_object_over_to_person",
  { object_name, person_name },
];
const near = (object_name: string, person_name: string): Calls[number] => [
  "move_object_to_person",
  { object_name, person_name },
];

describe("where nobody needs the robot", () => {
  it("looking is free", async () => {
    expect(await judged("situation-1", [["get_objects", {}]])).toEqual({
      same: true,
      unwanted: 0,
      silent: true,
    });
  });

  it.each<[string, Calls]>([
    ["speaking", [say("Felix", "There are cola and iced tea.")]],
    ["pointing", [["point_at_object_or_agent", { name: "bottle_of_cola" }]]],
    ["acting", [near("bottle_of_cola", "Felix")]],
  ])("%s is wrong", async (_what, calls) => {
    expect(await judged("situation-1", calls)).toEqual({ same: false, unwanted: 1, silent: false });
  });
});

describe("where somebody is mistaken", () => {
  it("silence is wrong, and so is talking about something else", async () => {
    expect(await judged("situation-2", [])).toMatchObject({ same: false, rightPerson: 0 });
    const past = await judged("situation-2", [say("Felix", "Good morning!")]);
    expect(past).toMatchObject({ same: false, unwanted: 0, rightPerson: 1 });
  });

  it("either of the two may be addressed", async () => {
    const said = "There is iced tea, but no orange juice.";
    expect(await judged("situation-2", [say("Daniel", said)])).toMatchObject({ same: true });
    expect(await judged("situation-2", [say("All", said)])).toMatchObject({ same: true });
  });
});

describe("where the receiver is hindered", () => {
  const reason = "Daniel cannot reach it.";

  it("helping without a word leaves the reason out", async () => {
    expect(await judged("situation-3", [hand("red_glass", "Felix")])).toMatchObject({
      same: false,
      reasonFirst: false,
      rightPerson: 0,
    });
  });

  it("the reason comes first, or the order is wrong", async () => {
    const late = await judged("situation-3", [hand("red_glass", "Felix"), say("Felix", reason)]);
    expect(late).toMatchObject({ same: true, reasonFirst: false });
    const early = await judged("situation-3", [say("Felix", reason), hand("red_glass", "Felix")]);
    expect(early).toMatchObject({ same: true, reasonFirst: true });
  });

  it("other words before are not a reason", async () => {
    const calls = [say("Felix", "Wait!"), hand("red_glass", "Felix"), say("Felix", reason)];
    expect(await judged("situation-3", calls)).toMatchObject({ reasonFirst: false });
  });

  it("a person who does not wait for it is the wrong one to address", async () => {
    const told = await judged("situation-3", [say("Daniel", reason), hand("red_glass", "Felix")]);
    expect(told).toEqual({ same: false, unwanted: 1, rightPerson: 0, reasonFirst: false });
    const both = [say("Felix", reason), say("Daniel", reason), hand("red_glass", "Felix")];
    expect(await judged("situation-3", both)).toMatchObject({ same: false, rightPerson: 0.5 });
  });

  it("putting it near is not handing it over to somebody who has a hand free", async () => {
    const calls = [say("Felix", reason), near("red_glass", "Felix")];
    expect(await judged("situation-3", calls)).toMatchObject({ same: false, unwanted: 0 });
  });

  it("touching another thing is a side effect", async () => {
    const calls = [say("Felix", reason), hand("red_glass", "Felix"), near("phone", "Daniel")];
    expect(await judged("situation-3", calls)).toMatchObject({ same: false, unwanted: 1 });
  });

  it("filling a glass in advance is allowed if it is useful", async () => {
    const calls: Calls = [
      say("Felix", "Daniel is busy."),
      [
        "pour_into",
        { source_container_name: "bottle_of_cola", target_container_name: "red_glass" },
      ],
      hand("bottle_of_cola", "Felix"),
    ];
    expect(await judged("situation-4", calls)).toMatchObject({ same: true, reasonFirst: true });
  });
});

describe("where the robot is asked", () => {
  it("an answer must be spoken", async () => {
    expect(await judged("situation-6", [])).toMatchObject({ same: false });
  });

  it("a wrong answer is wrong", async () => {
    const said = await judged("situation-6", [say("Felix", "Daniel is idle.")]);
    expect(said).toEqual({ same: false, unwanted: 0, rightPerson: 1 });
  });
});

describe("tasks of many steps", () => {
  it("are wrong in another order if the order matters", async () => {
    const task = MANY_STEPS.find(({ expected }) => expected.order !== undefined);
    const calls = (task?.gold ?? []).map(({ tool, args }): Calls[number] => [tool, args]);
    expect(await judged(task?.id ?? "", calls)).toMatchObject({ same: true });
    expect(await judged(task?.id ?? "", calls.toReversed())).toMatchObject({
      same: false,
      unwanted: 0,
    });
  });

  it("are wrong if they are half done, or if too much is moved", async () => {
    const [task] = CLOSED_LOOP;
    const calls = (task?.gold ?? []).map(({ tool, args }): Calls[number] => [tool, args]);
    expect(await judged(task?.id ?? "", calls.slice(0, 4))).toMatchObject({
      same: false,
      unwanted: 0,
    });
    const more = [...calls, near("vase", "Daniel")];
    expect(await judged(task?.id ?? "", more)).toMatchObject({ same: false, unwanted: 1 });
  });
});
