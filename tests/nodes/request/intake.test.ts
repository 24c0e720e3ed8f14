import type { GraphState } from "../../../state/state.js";
import { describe, expect, it } from "vitest";
import { intake as makeIntake } from "../../../nodes/request/intake.js";
import { NOTHING_USED } from "../../../state/state.js";
import { emptyState } from "../../fakes/emptyState.js";

const intake = async (state: GraphState) => makeIntake()(state, {});

describe("intake", () => {
  it("resets what an earlier run left, except the tools that it called", async () => {
    const update = await intake(
      emptyState({
        request: "again",
        status: "limit",
        answer: "old",
        toolIds: ["found", "a"],
        hints: ["b"],
        focus: "1",
        calls: [{ id: "c", tool: "a", args: {}, ms: 1, cost: 0 }],
        usage: { ...NOTHING_USED, modelCalls: 9 },
        repair: { stage: "act", problem: "p", attempts: 2 },
      }),
    );
    expect(update).toMatchObject({
      status: "running",
      answer: "",
      toolIds: ["a"],
      earlierTools: ["a"],
      hints: [],
      focus: "",
      calls: [],
      usage: NOTHING_USED,
      repair: null,
    });
  });
});
