import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createMiddleware, humanInTheLoopMiddleware, tool } from "langchain";
import { beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { createToolSearch } from "../../index.js";
import { temporaryFolder } from "../cli/support.js";
import type { ChatBody } from "../fakes/chatEndpoint.js";
import { TEST_LIBRARY, importTestLibrary, saveLogPlan } from "../fakes/testLibrary.js";
import { onThread, resultsOf, says, testAgent, toolsOf } from "./agents.js";

beforeAll(importTestLibrary);

const called = (name: string, args: object, id = "call_1") => ({
  calls: [{ id, name, arguments: { ...args } }],
});

const foundName = (body: ChatBody) =>
  String(toolsOf(body).find((name) => String(name).startsWith("greet_")));

it("calls tools found by a first search, and tells the model the outcome", async () => {
  const { agent, bodies } = await testAgent({
    script: (_body, at) =>
      at === 0 ? called("double_number", { value: 21 }) : { content: "It is 42." },
    middleware: { searchFirst: 1 },
  });
  const { messages } = await agent.invoke(says("Double a number: 21"), onThread("first"));
  expect(messages.at(-1)?.text).toBe("It is 42.");
  expect(toolsOf(bodies[0] ?? {})).toEqual(["find_tools", "double_number"]);
  expect(resultsOf(bodies[1] ?? {})).toEqual(["42"]);
});

it.each<[object, RegExp]>([
  [{ serchFirst: 1 }, /unknown option "serchFirst"; did you mean "searchFirst"\?/],
  [{ searchFirst: -1 }, /searchFirst: -1 is less than 0/],
  [{ maxTools: 0 }, /maxTools: 0 is not above 0/],
  [{ plans: "yes" }, /plans: "yes" is not true or false/],
  [
    { offer: "bond" },
    /offer: "bond" is none of auto, bound, called, native; did you mean "bound"\?/,
  ],
])("refuses %j, which it would otherwise pass over", async (options, said) => {
  const search = await createToolSearch(TEST_LIBRARY);
  expect(() => search.middleware(options)).toThrow(said);
});

it("offers what the model searches for after the tools already there, never in another order", async () => {
  const { agent, bodies } = await testAgent({
    script: (_body, at) =>
      [
        called("find_tools", { queries: ["greet a person", "halve a number"] }),
        called("find_tools", { queries: ["double a number"] }, "call_2"),
        called("greet", { person: "Ada" }, "call_3"),
      ][at] ?? { content: "Hello, Ada!" },
    search: { topK: 1 },
    middleware: { searchFirst: 0 },
  });
  await agent.invoke(says("Say hello to Ada"), onThread("order"));
  const shown = bodies.map(toolsOf);
  expect(shown[0]).toEqual(["find_tools"]);
  expect(shown[1]).toEqual(["find_tools", "greet", "halve_number"]);
  expect(shown[2]).toEqual(["find_tools", "greet", "halve_number", "double_number"]);
  expect(shown[3]).toEqual(shown[2]);
  expect(resultsOf(bodies[3] ?? {}).at(-1)).toBe("Hello, Ada!");
});

it("keeps found tools callable in later turns and after a restart", async () => {
  const checkpointer = new MemorySaver();
  const before = await testAgent({ script: () => ({ content: "What number?" }), checkpointer });
  await before.agent.invoke(says("Double a number"), onThread("restart"));
  const after = await testAgent({
    script: (_body, at) => (at === 0 ? called("double_number", { value: 4 }) : { content: "8" }),
    checkpointer,
  });
  await after.agent.invoke(says("4, please"), onThread("restart"));
  expect(toolsOf(after.bodies[0] ?? {})).toContain("double_number");
  expect(resultsOf(after.bodies[1] ?? {})).toEqual(["8"]);
});

it("shows a bounded number of found tools, and still calls one that is no longer shown", async () => {
  const queries = ["double a number", "greet a person", "halve a number"];
  const { agent, bodies } = await testAgent({
    script: (_body, at) =>
      [called("find_tools", { queries }), called("double_number", { value: 2 }, "call_2")][at] ?? {
        content: "4",
      },
    search: { topK: 1 },
    middleware: { searchFirst: 0, maxTools: 2 },
  });
  await agent.invoke(says("Hello"), onThread("bounded"));
  expect(toolsOf(bodies[1] ?? {})).toEqual(["find_tools", "greet", "halve_number"]);
  expect(resultsOf(bodies[2] ?? {}).at(-1)).toBe("4");
});

it("keeps the agent's own tools, even if one has the name of a found tool", async () => {
  const own = tool(({ person }) => `Bye, ${person}.`, {
    name: "greet",
    description: "Say goodbye",
    schema: z.object({ person: z.string() }),
  });
  const { agent, bodies } = await testAgent({
    script: (body, at) =>
      [called("greet", { person: "Ada" }), called(foundName(body), { person: "Ada" }, "c2")][
        at
      ] ?? {
        content: "Done.",
      },
    others: [createMiddleware({ name: "own", tools: [own] })],
  });
  await agent.invoke(says("Greet a person"), onThread("own"));
  expect(resultsOf(bodies[2] ?? {})).toEqual(["Bye, Ada.", "Hello, Ada!"]);
});

it("does not repeat calls made before a crash", async () => {
  const file = join(temporaryFolder(), "log.txt");
  let crashed = false;
  const crash = createMiddleware({
    name: "crash",
    async wrapToolCall(request, handler) {
      const result = await handler(request);
      if (crashed || request.toolCall.name === "find_tools") return result;
      crashed = true;
      throw new Error("the process dies before the checkpoint");
    },
  });
  const { agent, bodies } = await testAgent({
    script: (_body, at) =>
      at === 0 ? called("write_line", { file, line: "once" }) : { content: "Written." },
    others: [crash],
  });
  const thread = onThread("crash");
  await expect(agent.invoke(says("Write a line into a log file"), thread)).rejects.toThrow("dies");
  await agent.graph.invoke(null, thread);
  expect(readFileSync(file, "utf8")).toBe("once\n");
  expect(resultsOf(bodies[1] ?? {})).toEqual(["written: once"]);
});

it("makes several calls as one program, and asks about those that need it", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const line = "`${doubled} it is`";
  const program = `const doubled = double_number({ value: 21 });\nreturn write_line({ file: ${JSON.stringify(file)}, line: ${line} });`;
  const { agent, bodies } = await testAgent({
    script: (_body, at) => (at === 0 ? called("run_plan", { program }) : { content: "Written." }),
    search: { approval: "writes" },
    middleware: { plans: true },
  });
  const thread = onThread("program");
  const waiting = await agent.invoke(says("Double 21 and write it into a log file"), thread);
  const actionRequests = [{ name: "write_line", args: { file, line: "42 it is" } }];
  expect(waiting.__interrupt__?.[0]?.value).toMatchObject({ actionRequests });
  await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
  expect(readFileSync(file, "utf8")).toBe("42 it is\n");
  expect(resultsOf(bodies[1] ?? {})).toEqual(["written: 42 it is"]);
});

it.each(["write_line", "run_plan"])(
  "makes no call of a reply that was cut off, asks nobody, and tells the model: %s",
  async (name) => {
    const args = { file: join(temporaryFolder(), "log.txt"), line: "half" };
    const program = `return write_line(${JSON.stringify(args)});`;
    const call = called(name, name === "run_plan" ? { program } : args);
    const { agent, bodies } = await testAgent({
      script: (_body, at) => (at === 0 ? { ...call, finishReason: "length" } : { content: "No." }),
      search: { approval: "writes" },
      middleware: { plans: true },
    });
    await agent.invoke(says("Write a line into a log file"), onThread(`cut ${name}`));
    expect(resultsOf(bodies[1] ?? {})).toEqual([expect.stringMatching(/cut off.*not called/)]);
    expect(existsSync(args.file)).toBe(false);
  },
);

it("tells the model where a program has stopped, and what it had written", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const program = `write_line({ file: ${JSON.stringify(file)}, line: "x" });\nreturn break_down({ reason: "test" });`;
  const programs = [program, "return nothing_like_it({});"];
  const { agent, bodies } = await testAgent({
    script: (_body, at) =>
      programs[at] ? called("run_plan", { program: programs[at] }) : { content: "Half of it." },
    middleware: { plans: true },
  });
  await agent.invoke(says("Write a line and break down"), onThread("stopped"));
  expect(resultsOf(bodies[2] ?? {})).toEqual([
    expect.stringMatching(
      /line 2: break_down has failed.*; what it has written until then stands: write_line 1 ×$/,
    ),
    expect.stringMatching(/nothing_like_it/),
  ]);
});

it("asks a person in LangChain's form before a call that needs it, and follows the decision", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const { agent, bodies } = await testAgent({
    script: (_body, at) =>
      at === 0 ? called("write_line", { file, line: "draft" }) : { content: "Written." },
    search: { approval: "writes" },
  });
  const thread = onThread("approval");
  const waiting = await agent.invoke(says("Write a line into a log file"), thread);
  const [request] = waiting.__interrupt__ ?? [];
  expect(request?.value).toMatchObject({
    actionRequests: [
      {
        name: "write_line",
        args: { file, line: "draft" },
        description: expect.stringMatching(/^A person has to approve this call/) as string,
      },
    ],
  });
  const editedAction = { name: "write_line", args: { file, line: "final" } };
  const decisions = [{ type: "edit", editedAction }];
  await agent.invoke(new Command({ resume: { decisions } }), thread);
  expect(readFileSync(file, "utf8")).toBe("final\n");
  expect(toolsOf(bodies[1] ?? {})).toContain("write_line");
});

it("says what is missing for an approval in an agent that cannot wait", async () => {
  const { agent } = await testAgent({
    script: () => called("write_line", { file: "unused", line: "draft" }),
    search: { approval: "writes" },
    checkpointer: false,
  });
  await expect(agent.invoke(says("Write a line into a log file"))).rejects.toThrow(
    /^checkpointer: a person has to approve write_line, and the agent cannot wait\. Give createAgent/,
  );
});

it("asks about each write of a saved plan with its values", async () => {
  await saveLogPlan();
  const file = join(temporaryFolder(), "log.txt");
  const { agent } = await testAgent({
    script: (_body, at) => (at === 0 ? called("log_twice", { file }) : { content: "Logged." }),
    search: { approval: "writes" },
  });
  const thread = onThread("plan");
  const waiting = await agent.invoke(says("Log two lines"), thread);
  expect(waiting.__interrupt__?.[0]?.value).toMatchObject({
    kind: "writes",
    actionRequests: [{ args: { file, line: "first" } }, { args: { file, line: "second 42" } }],
  });
  expect(existsSync(file)).toBe(false);
  const decisions = [{ type: "approve" }, { type: "approve" }];
  await agent.invoke(new Command({ resume: { decisions } }), thread);
  expect(readFileSync(file, "utf8")).toBe("first\nsecond 42\n");
});

it("works with LangChain's own approvals of found tools", async () => {
  const file = join(temporaryFolder(), "log.txt");
  const { agent } = await testAgent({
    script: (_body, at) =>
      at === 0 ? called("write_line", { file, line: "yes" }) : { content: "Written." },
    others: [humanInTheLoopMiddleware({ interruptOn: { write_line: true } })],
  });
  const thread = onThread("hitl");
  await agent.invoke(says("Write a line into a log file"), thread);
  const resume = { decisions: [{ type: "approve" }] };
  await agent.invoke(new Command({ resume }), thread);
  expect(readFileSync(file, "utf8")).toBe("yes\n");
});

const refused = (body: ChatBody) => JSON.stringify(body.messages).length > 3000;

it("goes on with a conversation that is longer than the model's window", async () => {
  const message = "prompt too long; exceeded max context length by 12 tokens";
  const { agent, bodies } = await testAgent({
    script: (body) => {
      if (refused(body)) return { status: 400, body: { error: { message } } };
      const isCalled = body.messages?.at(-1)?.role === "tool";
      return isCalled ? { content: "Doubled." } : called("double_number", { value: 21 });
    },
  });
  const turn = async () => {
    const { messages } = await agent.invoke(
      says(`Double a number: 21. ${"Some more context. ".repeat(30)}`),
      onThread("window"),
    );
    return messages.at(-1);
  };
  for (let turns = 0; turns < 8; turns++) expect((await turn())?.text).toBe("Doubled.");
  const refusals = bodies.filter(refused).length;
  expect(refusals).toBeGreaterThan(0);
  const last = await turn();
  expect(last?.response_metadata).toMatchObject({ tulipgraph: { shortened: expect.any(Number) } });
  expect(bodies.filter(refused)).toHaveLength(refusals);
});
