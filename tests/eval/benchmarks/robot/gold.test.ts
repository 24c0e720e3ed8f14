import { describe, expect, it } from "vitest";
import { judgeRobot } from "../../../../eval/benchmarks/robot/judgeRobot.js";
import { ROBOT_TASKS } from "../../../../eval/benchmarks/robot/robotTask.js";
import { ROBOT_SCENES } from "../../../../eval/benchmarks/robot/scenes.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import { tableOf } from "../../../tools/catalogs/robot/support.js";

const definition = robotWorld({ scenes: ROBOT_SCENES, start: "breakfast" });

describe("the gold calls of the robot's benchmark", () => {
  it.each(Object.values(ROBOT_TASKS).flat())(
    "of $id do exactly what is right",
    async ({ gold, expected }) => {
      const table = tableOf({ definition, start: expected.start });
      for (const { tool, args } of gold) await table.call(tool, args);
      const judged = judgeRobot(expected, table.change());
      expect(judged).toMatchObject({ same: true, unwanted: 0 });
      for (const part of [judged.silent, judged.rightPerson, judged.reasonFirst]) {
        expect([true, 1, undefined]).toContain(part);
      }
    },
  );

  it("leave each situation as the next one begins", async () => {
    for (const [index, { gold, expected }] of ROBOT_TASKS.scenario.entries()) {
      const next = ROBOT_TASKS.scenario[index + 1];
      if (next === undefined) continue;
      const table = tableOf({ definition, start: expected.start });
      for (const { tool, args } of gold) await table.call(tool, args);
      expect(table.world().scene.things).toEqual(ROBOT_SCENES[next.expected.start]?.things);
    }
  });
});
