import { END, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { channels, conversation } from "../../state/state.js";

const State = channels({
  messages: conversation,
  count: z.number().default(3),
  seen: z.array(z.string()).default([]),
});

type Update = { messages?: unknown; count?: unknown };

describe("the channels of a graph", () => {
  it("are replaced by what a node writes", async () => {
    expect(await run({ count: 5 }, () => ({ count: 7 }))).toMatchObject({ count: 7 });
  });

  it("refuse what their schemas do not allow, and name the channel", async () => {
    await expect(run({ count: "many" }, () => ({}))).rejects.toThrow(/count/);
    await expect(run({ count: 1 }, () => ({ count: "many" }))).rejects.toThrow(/count/);
  });
});

describe("the conversation", () => {
  it.each([
    ["a list of plain objects", [{ role: "user", content: "Hello" }]],
    ["a single message", { role: "user", content: "Hello" }],
    ["a text", "Hello"],
  ])("takes %s", async (_, messages) => {
    const { messages: kept } = await run({ messages }, () => ({}));
    expect(kept.map(({ type, text }) => [type, text])).toEqual([["human", "Hello"]]);
  });

  it("gains what a node adds, and replaces a message of the same id", async () => {
    const messages = [{ id: "1", role: "user", content: "Hello" }];
    const mended = { id: "1", role: "user", content: "Hallo" };
    const answer = { role: "assistant", content: "Hi" };
    const state = await run({ messages }, () => ({ messages: [mended, answer] }));
    expect(state.messages.map(({ text }) => text)).toEqual(["Hallo", "Hi"]);
  });
});

/** The state after a graph of one node. */
async function run(input: Update, node: () => Update): Promise<z.infer<typeof State>> {
  const graph = new StateGraph(State)
    .addNode("write", node as never)
    .addEdge(START, "write")
    .addEdge("write", END)
    .compile();
  return await graph.invoke(input as never);
}
