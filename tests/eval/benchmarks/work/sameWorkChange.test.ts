import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameWorkChange, stateDiffOf } from "../../../../eval/benchmarks/work/workChange.js";
import { PARTS, PROGRAM_PARTS } from "../../../../eval/benchmarks/work/workTask.js";

const CHANGES = [...PARTS, ...PROGRAM_PARTS]
  .flatMap(({ tasks }) => tasks.flatMap(({ outcome }) => outcome ?? []))
  .map(({ changes = {} }) => stateDiffOf(changes));

function comment(id: string, text: string) {
  return { id, work_id: "ISS-1", author: "DEVU-1", text, created_on: "2025-03-12" };
}

describe("a change of the work items", () => {
  it("is right where it is the gold one, and two tasks with other golds are told apart.", () => {
    const change = fc.constantFrom(...CHANGES);
    fc.assert(
      fc.property(change, change, (right, made) => {
        const isSame = JSON.stringify(right) === JSON.stringify(made);
        expect(sameWorkChange(right, made).same).toBe(isSame);
      }),
      { numRuns: 500 },
    );
  });

  it("is told whole where an outcome has only what is no longer as it was.", () => {
    const { work_items } = stateDiffOf({ work_items: { "TASK-9": { sprint_id: null } } });
    expect(work_items).toMatchObject({ "TASK-9": { id: "TASK-9", type: "task" } });
    expect(work_items).not.toHaveProperty(["TASK-9", "sprint_id"]);
  });

  it("may make its new rows in any order.", () => {
    const [first, second] = ["one", "two"];
    const right = {
      comments: {
        "COMMENT-31": comment("COMMENT-31", first),
        "COMMENT-32": comment("COMMENT-32", second),
      },
    };
    const made = {
      comments: {
        "COMMENT-31": comment("COMMENT-31", second),
        "COMMENT-32": comment("COMMENT-32", first),
      },
    };
    expect(sameWorkChange(right, made)).toEqual({ same: true, unwanted: 0 });
  });

  it("is wrong by as many rows as nobody wanted so, and by none where it only did too little.", () => {
    const right = stateDiffOf({
      work_items: { "ISS-2": { owned_by: "DEVU-3" }, "ISS-5": { stage: "completed" } },
    });
    const half = stateDiffOf({ work_items: { "ISS-2": { owned_by: "DEVU-3" } } });
    const other = stateDiffOf({
      work_items: { "ISS-2": { owned_by: "DEVU-4" }, "ISS-6": { owned_by: "DEVU-3" } },
    });
    expect(sameWorkChange(right, half)).toEqual({ same: false, unwanted: 0 });
    expect(sameWorkChange(right, other)).toEqual({ same: false, unwanted: 2 });
    expect(sameWorkChange({}, half)).toEqual({ same: false, unwanted: 1 });
    expect(sameWorkChange({}, {})).toEqual({ same: true, unwanted: 0 });
  });
});
