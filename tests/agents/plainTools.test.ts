import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { beforeAll, expect, it } from "vitest";
import { createToolSearch } from "../../index.js";
import { temporaryFolder } from "../cli/support.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { onThread, resultsOf, says, scriptedChat, toolsOf } from "./agents.js";

beforeAll(importTestLibrary);

it("finds tools with all that a call needs, and calls them", async () => {
  const [find, call] = (await createToolSearch(TEST_LIBRARY)).tools();
  const found: unknown = await find.invoke({
    queries: ["greet a person", "grow tomatoes"],
    limit: 1,
  });
  expect(found).toContain("greet(person: string)");
  expect(found).toContain("grow tomatoes (unsure, only the closest matches):");
  const result = await call.invoke({
    name: "call_tool",
    id: "1",
    type: "tool_call",
    args: { tool: "greet", arguments: { person: "Ada" } },
  });
  expect(result).toMatchObject({ content: "Hello, Ada!", status: "success" });
});

it("names the tool that was meant, to whoever narrows the library and to the model", async () => {
  const narrowed = createToolSearch({ ...TEST_LIBRARY, toolIds: ["greet", "halve_numbr"] });
  await expect(narrowed).rejects.toThrow(/"halve_numbr"; did you mean "halve_number"\?/);
  const [, call] = (await createToolSearch(TEST_LIBRARY)).tools();
  const misspelt = call.invoke({ tool: "halve_numbr", arguments: {} });
  await expect(misspelt).rejects.toThrow(/did you mean "halve_number"\?/);
});

it("makes no call that needs approval where nobody can be asked", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const [, call] = (await createToolSearch({ ...TEST_LIBRARY, approval: "writes" })).tools();
  const refused: unknown = await call.invoke({
    tool: "write_line",
    arguments: { file, line: "x" },
  });
  expect(refused).toContain("approval");
  expect(existsSync(file)).toBe(false);
});

it("asks a person in an agent, and keeps the same two tools", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const args = { tool: "write_line", arguments: { file, line: "yes" } };
  const { chat, bodies } = await scriptedChat((_body, at) =>
    at === 0
      ? { calls: [{ id: "1", name: "call_tool", arguments: args }] }
      : { content: "Written." },
  );
  const search = await createToolSearch({ ...TEST_LIBRARY, approval: "writes" });
  const agent = createAgent({
    model: chat,
    tools: [...search.tools()],
    checkpointer: new MemorySaver(),
  });
  const thread = onThread("plain");
  const waiting = await agent.invoke(says("Write a line"), thread);
  expect(waiting.__interrupt__?.[0]?.value).toMatchObject({
    actionRequests: [{ name: "write_line", args: { file, line: "yes" } }],
  });
  await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
  expect(readFileSync(file, "utf8")).toBe("yes\n");
  expect(bodies.map(toolsOf)).toEqual([
    ["find_tools", "call_tool"],
    ["find_tools", "call_tool"],
  ]);
  expect(resultsOf(bodies[1] ?? {})).toEqual(["written: yes"]);
});

it("makes no call that needs approval in an agent without a checkpointer, also on a thread", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const args = { tool: "write_line", arguments: { file, line: "no" } };
  const { chat, bodies } = await scriptedChat((_body, at) =>
    at === 0
      ? { calls: [{ id: "1", name: "call_tool", arguments: args }] }
      : { content: "Not done." },
  );
  const search = await createToolSearch({ ...TEST_LIBRARY, approval: "writes" });
  const agent = createAgent({ model: chat, tools: [...search.tools()] });
  await agent.invoke(says("Write a line"), onThread("no checkpointer"));
  expect(resultsOf(bodies[1] ?? {})).toEqual([expect.stringContaining("nobody can be asked")]);
  expect(existsSync(file)).toBe(false);
});
