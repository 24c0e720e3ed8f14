import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tool } from "@langchain/core/tools";
import { Command } from "@langchain/langgraph";
import { createMiddleware, humanInTheLoopMiddleware } from "langchain";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../cli/support.js";
import { toldTools } from "../../agents/foundTools.js";
import { openToolbox } from "../../agents/toolbox.js";
import { importTestLibrary } from "../fakes/testLibrary.js";
import { onThread, resultsOf, says, testAgent, toolsOf } from "./agents.js";

beforeAll(importTestLibrary);

const find = (query: string, at = 0) => ({
  calls: [{ id: `find_${at}`, name: "find_tools", arguments: { queries: [query] } }],
});
const call = (given: object, at = 0) => ({
  calls: [{ id: `call_${at}`, name: "call_tool", arguments: { ...given } }],
});

const QUERIES = ["double a number", "greet a person", "halve a number", "write a line", "log file"];

describe("an agent that calls found tools through one fixed tool", () => {
  it.each([false, true])(
    "sends the same tools and the same beginning through ten finds and five turns (plans: %s)",
    async (plans) => {
      const { agent, bodies } = await testAgent({
        script: (_body, at) =>
          at % 3 < 2 ? find(QUERIES[at % 5] ?? "", at) : { content: "Done." },
        middleware: { offer: "called", plans },
      });
      for (let turn = 0; turn < 5; turn += 1)
        await agent.invoke(says(QUERIES[turn] ?? ""), onThread(`same ${plans}`));
      expect(bodies).toHaveLength(15);
      expect(new Set(bodies.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
      const messages = bodies.map((body) => JSON.stringify(body.messages).slice(0, -1));
      expect(messages.slice(1).every((text, at) => text.startsWith(messages[at] ?? ""))).toBe(true);
    },
    60_000,
  );

  it("calls what a first search has found, with its signature after the request", async () => {
    const { agent, bodies } = await testAgent({
      script: (_body, at) =>
        at === 0
          ? call({ name: "double_number", arguments: { value: 21 } })
          : { content: "It is 42." },
      middleware: { offer: "called" },
    });
    const { messages } = await agent.invoke(says("Double a number: 21"), onThread("called"));
    expect(toolsOf(bodies[0] ?? {})).toEqual(["find_tools", "call_tool"]);
    expect(JSON.stringify(bodies[0]?.messages)).toContain("double_number(value: number)");
    expect(resultsOf(bodies[1] ?? {})).toEqual(["42"]);
    expect(JSON.stringify(bodies[1]?.messages)).toContain('\\"name\\":\\"double_number\\"');
    // The agent's own messages name the tool itself.
    expect(JSON.stringify(messages)).toContain('"name":"double_number"');
  });

  it.each<[string, object]>([
    ["as a JSON text", { name: "double_number", arguments: '{"value":21}' }],
    ["beside the name", { name: "double_number", value: 21 }],
  ])("takes arguments %s", async (_, given) => {
    const { agent, bodies } = await testAgent({
      script: (_body, at) => (at === 0 ? call(given) : { content: "42" }),
      middleware: { offer: "called" },
    });
    await agent.invoke(says("Double a number: 21"), onThread(crypto.randomUUID()));
    expect(resultsOf(bodies[1] ?? {})).toEqual(["42"]);
  });

  it("answers a wrong guess with what the tool takes, or with the tools that exist", async () => {
    const { agent, bodies } = await testAgent({
      script: (_body, at) =>
        [
          call({ name: "double_number", arguments: { number: 4 } }),
          call({ name: "double_number", arguments: { value: 4 } }, 1),
          call({ name: "no_such_tool", arguments: {} }, 2),
        ][at] ?? { content: "8" },
      middleware: { offer: "called", searchFirst: 0 },
    });
    await agent.invoke(says("Double 4"), onThread("guess"));
    expect(resultsOf(bodies[1] ?? {}).at(-1)).toContain("double_number(value: number)");
    expect(resultsOf(bodies[2] ?? {}).at(-1)).toBe("8");
    expect(resultsOf(bodies[3] ?? {}).at(-1)).toContain("no_such_tool");
  });

  it.each(["ours", "LangChain's"])("asks before a write by its own name: %s", async (whose) => {
    const file = join(temporaryFolder(), "log.txt");
    const write = { name: "write_line", arguments: { file, line: "once" } };
    const { agent, bodies } = await testAgent({
      script: (_body, at) => (at === 0 ? call(write) : { content: "Written." }),
      search: { approval: whose === "ours" ? "writes" : "none" },
      middleware: { offer: "called" },
      others:
        whose === "ours" ? [] : [humanInTheLoopMiddleware({ interruptOn: { write_line: true } })],
    });
    const thread = onThread(`asks ${whose}`);
    const waiting = await agent.invoke(says("Write a line into a log file"), thread);
    expect(waiting.__interrupt__?.[0]?.value).toMatchObject({
      actionRequests: [{ name: "write_line", args: { file, line: "once" } }],
    });
    expect(existsSync(file)).toBe(false);
    await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
    expect(readFileSync(file, "utf8")).toBe("once\n");
    expect(resultsOf(bodies[1] ?? {})).toEqual(["written: once"]);
  });

  it("leaves the agent its own tool named call_tool", async () => {
    const own = tool(() => "mine", {
      name: "call_tool",
      description: "Mine",
      schema: z.object({}),
    });
    const { agent, bodies } = await testAgent({
      script: (_body, at) =>
        [
          { calls: [{ id: "own", name: "call_tool", arguments: {} }] },
          {
            calls: [
              {
                id: "found",
                name: "call_found_tool",
                arguments: { name: "double_number", arguments: { value: 21 } },
              },
            ],
          },
        ][at] ?? { content: "42" },
      middleware: { offer: "called" },
      others: [createMiddleware({ name: "Own", tools: [own] })],
    });
    await agent.invoke(says("Double a number: 21"), onThread("clash"));
    expect(toolsOf(bodies[0] ?? {})).toEqual(["call_tool", "find_tools", "call_found_tool"]);
    expect(resultsOf(bodies[2] ?? {})).toEqual(["mine", "42"]);
  });
});

it("of two agents over one library, each is told the tools that it may call", async () => {
  const whole = await openToolbox({ library: "math" });
  const toolIds = whole.all().filter((id) => id !== "multiply");
  for (const toolbox of [whole, await openToolbox({ library: "math", toolIds })]) {
    const named = Array.from(toolbox.pick(toolbox.all()), ([name, record]) => ({ name, record }));
    expect(toldTools(toolbox, () => named).includes("multiply(")).toBe(toolbox === whole);
  }
});
