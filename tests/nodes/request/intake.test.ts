import type { GraphState } from "../../../state/state.js";
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { intake as makeIntake } from "../../../nodes/request/intake.js";
import { NOTHING_USED } from "../../../state/state.js";
import { emptyState } from "../../fakes/emptyState.js";

const intake = (state: GraphState) => makeIntake()(state, {});

describe("intake", () => {
  it("takes the given request, appends it to the conversation and empties the input", () => {
    const update = intake(
      emptyState({ request: " Add 1 and 2 ", messages: [new AIMessage("Hi")] }),
    );
    expect(update).toMatchObject({ request: "", run: { request: "Add 1 and 2" } });
    expect(update.messages).toMatchObject([{ content: "Add 1 and 2" }]);
  });

  it("takes the last human message when no request is given, and appends nothing", () => {
    const messages = [new HumanMessage("first"), new AIMessage("ok"), new HumanMessage("second")];
    const update = intake(emptyState({ messages }));
    expect(update).toMatchObject({ run: { request: "second" }, messages: [] });
  });

  it("gives every run an id of its own", () => {
    const ids = [1, 2].map(() => intake(emptyState({ request: "x" })).run?.id);
    expect(new Set(ids).size).toBe(2);
  });

  it("resets what an earlier run has left, but for the tools that it has called", () => {
    const update = intake(
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

  it("answers the calls that a broken-off run has left open, in their place", () => {
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
    const update = intake(emptyState({ messages }));
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

  it("refuses input that has no request", () => {
    expect(() => intake(emptyState({ request: " \n" }))).toThrow(/request: is empty/);
  });
});
