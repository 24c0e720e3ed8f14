import { randomUUID } from "node:crypto";
import { Command, MemorySaver, StateGraph } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { compileGraph } from "../../graphs/compile.js";
import { allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { newHome } from "../fakes/homes.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { echoModel, serveHere } from "../server/support.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const { base } = await allGraphs();
const checkpointer = new MemorySaver();
const graph = compileGraph(base.wiring, { name: "base", checkpointer });
const context = { ...TEST_LIBRARY, ...echoModel().context };

/** What a run is given, and what is said of it. */
const REFUSED: [input: unknown, said: string][] = [
  [{ requst: "hello" }, 'unknown key of the input "requst"; did you mean "request"?'],
  [
    { question: "hello" },
    'unknown key of the input "question"; available: messages, request, undo',
  ],
  [{ message: "hello", request: "" }, '"message"; did you mean "messages"?'],
  [{ messages: [["user", "old"]], requst: "new" }, 'did you mean "request"?'],
  [{ request: 5 }, "request: 5 is not text"],
  [{ undo: { stp: 3 } }, 'undo: Unrecognized key: "stp"'],
  ["hello", 'input: is not an object. Give { request: "…" } or { messages: […] }'],
  [["hello"], "input: is not an object"],
];

const TAKEN: unknown[] = [
  { request: "hello", documents: [1], requests: "of others" },
  { messages: [["user", "hello"]], ui: [], documents: [1] },
  { messages: "hello", __own: 1 },
];

async function run(input: unknown) {
  const configurable = { thread_id: randomUUID() };
  return await graph.invoke(input as never, { configurable, context });
}

describe("what a run is given", () => {
  it.each(REFUSED)("%j is refused", async (input, said) => {
    await expect(run(input)).rejects.toThrow(said);
  });

  it.each(TAKEN)("%j is taken", async (input) => {
    expect(await run(input)).toMatchObject({ answer: "You said hello." });
  });

  it("may be all of another graph's state", async () => {
    const outer = new StateGraph(z.object({ request: z.string(), requests: z.array(z.string()) }))
      .addNode("agent", compileGraph(base.wiring, { name: "base" }) as never)
      .addEdge("__start__", "agent")
      .compile();
    const given = { request: "hello", requests: ["hello"] };
    expect(await outer.invoke(given, { context })).toEqual(given);
  });

  it("is a command with channels that there are, and so is a change of a state", async () => {
    const configurable = { thread_id: randomUUID() };
    await graph.invoke({ request: "hello" }, { configurable, context });
    const change = async (values: object) => await graph.updateState({ configurable }, values);
    await expect(change({ anser: "no" })).rejects.toThrow('unknown channel "anser"; did you mean');
    await expect(change({ answer: 3 })).rejects.toThrow("answer: 3 is not text");
    await change({ answer: "yes" });
    const { answer } = await graph.invoke(new Command({ resume: 1 }), { configurable, context });
    expect(answer).toBe("yes");
  });
});

it("a server refuses it before it queues a run, and before it keeps a cron", async () => {
  const { client } = await serveHere({ home: newHome() });
  const { thread_id } = await client.threads.create();
  const wanted = { input: { requst: "hello" } };
  const said = /422.*unknown key of the input \\?"requst/;
  await expect(client.runs.create(thread_id, "base", wanted)).rejects.toThrow(said);
  await expect(client.runs.wait(null, "base", wanted)).rejects.toThrow(said);
  const schedule = "0 0 1 1 *";
  await expect(client.crons.create("base", { ...wanted, schedule })).rejects.toThrow(said);
  const { cron_id } = await client.crons.create("base", { schedule, input: { request: "hello" } });
  await expect(client.crons.update(cron_id, wanted)).rejects.toThrow(said);
  await expect(client.crons.update(cron_id, { context: { topk: 3 } })).rejects.toThrow("topK");
});
