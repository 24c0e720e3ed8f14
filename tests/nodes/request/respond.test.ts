import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { respond } from "../../../nodes/request/respond.js";
import { emptyState } from "../../fakes/emptyState.js";

const stopCall = new AIMessage({
  content: "",
  tool_calls: [{ id: "call_1", name: "stop", args: { message: "42", solved: true } }],
});

describe("respond", () => {
  it("answers open calls and then gives the answer", async () => {
    const update = await respond()(
      emptyState({ messages: [stopCall], status: "answered", answer: "42" }),
      {},
    );
    expect(update.messages).toMatchObject([{ tool_call_id: "call_1" }, { content: "42" }]);
  });

  it("adds nothing if the answer is the last thing that was said", async () => {
    const messages = [new HumanMessage("?"), new AIMessage(" 42 ")];
    const update = await respond()(emptyState({ messages, status: "answered", answer: "42" }), {});
    expect(update).toEqual({ answer: "42", deeds: null, messages: [] });
  });

  it("says what was found before a limit, without failed calls", async () => {
    const update = await respond()(
      emptyState({
        status: "limit",
        answer: "Stopped by a limit.",
        calls: [
          { id: "1", tool: "add", args: { a: 1, b: 2 }, result: 3, ms: 1, cost: 0 },
          { id: "2", tool: "add", args: { a: 1 }, error: "missing b", ms: 1, cost: 0 },
        ],
      }),
      {},
    );
    expect(update.answer).toBe("Stopped by a limit. Results so far: add (a: 1, b: 2): 3.");
  });
});
