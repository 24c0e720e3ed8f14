import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { stageLines } from "../../../cli/runs/printRun.js";
import { act } from "../../../nodes/acting/act.js";
import { FINISH } from "../../../tools/control.js";

const STAGE = act({ tools: "found", ending: "finish" });

/** What is shown of a reply that ends a branch in this way. */
function linesOf(args: Record<string, unknown>): string[] {
  const reply = new AIMessage({
    content: "",
    tool_calls: [{ id: "1", name: FINISH.name, args, type: "tool_call" }],
  });
  return stageLines({ stage: STAGE, change: { messages: [reply] }, before: {} });
}

describe("the end of a branch", () => {
  it("is an answer, or an attempt that is given up for a reason", () => {
    expect(linesOf({ return_type: "give_answer", final_answer: "42" })).toEqual(["answers"]);
    const gaveUp = linesOf({ return_type: "give_up_and_restart", final_answer: "all\nfailed" });
    expect(gaveUp).toEqual(["gives this way up: all failed"]);
    expect(linesOf({ return_type: "give_up_and_restart" })).toEqual(["gives this way up"]);
  });

  it("is an answer in plain words, too", () => {
    const change = { messages: [new AIMessage("It is 42.")] };
    expect(stageLines({ stage: STAGE, change, before: {} })).toEqual(["answers"]);
  });
});
