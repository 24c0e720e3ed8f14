import { describe, expect, it } from "vitest";
import { ROBOT_TASKS } from "../../../eval/benchmarks/robot/robotTask.js";
import { scoreOf } from "./support.js";

const world = { name: "robot" };

/** A score of a run of one situation with this log and these changed things. */
function scored(id: string, situation: number, stateDiff: Record<string, unknown> | undefined) {
  const task = { stateDiff: ROBOT_TASKS.scenario[situation - 1]?.expected };
  return scoreOf(id, { task, run: { stateDiff }, world });
}

const spoken = { log: [{ act: "speak", to: "Felix", text: "Daniel cannot reach it." }] };

describe("the scores of the robot", () => {
  it("say whether it was silent, but only if silence was required", () => {
    expect(scored("silence", 1, {})).toBe(1);
    expect(scored("silence", 1, spoken)).toBe(0);
    expect(scored("silence", 3, {})).toBeUndefined();
  });

  it("say to whom it spoke and whether the reason came first, but only if that was required", () => {
    expect(scored("spokenTo", 3, spoken)).toBe(1);
    expect(scored("spokenTo", 3, {})).toBe(0);
    expect(scored("reasonFirst", 3, spoken)).toBe(1);
    expect(scored("reasonFirst", 3, {})).toBe(0);
    expect(scored("spokenTo", 1, {})).toBeUndefined();
    expect(scored("reasonFirst", 6, spoken)).toBeUndefined();
  });

  it("stand beside the scores of every world", () => {
    expect(scored("stateMatch", 1, {})).toBe(1);
    expect(scored("sideEffects", 1, spoken)).toBe(1);
  });

  it("are left out of other worlds and of runs without a change", () => {
    expect(scored("silence", 1, undefined)).toBeUndefined();
    const work = { task: { stateDiff: {} }, run: { stateDiff: {} }, world: { name: "work" } };
    expect(scoreOf("silence", work)).toBeUndefined();
  });
});
