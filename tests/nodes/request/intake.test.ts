import { type GraphState, NOTHING_USED } from "../../../state/state.js";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { intake as makeIntake } from "../../../nodes/request/intake.js";
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

  it("writes nothing that is as it should be, since all that is written is saved", async () => {
    const update = await intake(emptyState({ request: "Add 2 and 3" }));
    expect(Object.keys(update).toSorted()).toEqual(["messages", "request", "run"]);
  });

  it("answers the calls that an interrupted run left open, in their place", async () => {
    const messages = [
      new HumanMessage({ id: "1", content: "first" }),
      new AIMessage({
        id: "2",
        content: "",
        tool_calls: [
          { id: "call_1", name: "add", args: {} },
          { id: "call_2", name: "add", args: {} },
        ],
      }),
      new ToolMessage({ id: "3", tool_call_id: "call_1", content: "3" }),
      new HumanMessage({ id: "4", content: "second" }),
    ];
    const update = await intake(emptyState({ messages }));
    const mended = (update.messages as ToolMessage[]).slice(1);
    expect(mended.map(({ type, tool_call_id }) => tool_call_id ?? type)).toEqual([
      "human",
      "ai",
      "call_2",
      "call_1",
      "human",
    ]);
    expect(mended[2]?.text).toMatch(/interrupted/);
  });
});
