import { Client } from "@langchain/langgraph-sdk";
import { RemoteGraph } from "@langchain/langgraph/remote";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GRAPH_IDS, allGraphs } from "../../graphs/index.js";
import type { GraphState } from "../../state/state.js";
import { settingsSchema } from "../../state/settings.js";
import { openWorkspace } from "../../home/workspace.js";

const graphs = await allGraphs();

const REQUEST = "What is 45342 * 23487 + 32478?";
const ANSWER = "1064980032";

/** A server that is judged by what clients of LangGraph get from it. */
export interface JudgedServer {
  url: string;
  stop: () => Promise<void>;
}

/**
 * What holds for any server of LangGraph's API that serves the project's graphs, for the client of LangGraph's SDK.
 *
 * @param options.served ids of the graphs that it serves
 */
export function sharedCases(options: {
  start: () => Promise<JudgedServer>;
  served: readonly string[];
}): void {
  const { start, served } = options;
  let server: JudgedServer;
  let client: Client;
  beforeAll(async () => {
    server = await start();
    client = new Client({ apiUrl: server.url });
  });
  afterAll(async () => {
    await server.stop();
  });

  describe("the assistants", () => {
    it("are the graphs of the project, each under its own id", async () => {
      const assistants = await client.assistants.search({
        metadata: { created_by: "system" },
        limit: 100,
      });
      const ids = assistants.map(({ graph_id }) => graph_id);
      expect(ids.toSorted()).toEqual([...served].toSorted());
    });

    it.each(GRAPH_IDS)("can be drawn with the nodes of the graph: %s", async (id) => {
      const drawn = await client.assistants.getGraph(id);
      const nodes = Object.keys(graphs[id].graph.builder.nodes);
      expect(nodes).toContain("intake");
      expect(drawn.nodes.map((node) => String(node.id)).toSorted()).toEqual(
        ["__start__", "__end__", ...nodes].toSorted(),
      );
      expect(drawn.edges).toContainEqual(
        expect.objectContaining({ source: "__start__", target: "intake" }),
      );
    });

    it("may have settings of their own, which their runs then use", async () => {
      const { assistant_id } = await client.assistants.create({
        graphId: "cot_tulip",
        name: "few tools",
        context: { topK: 3 },
      });
      const few = await run(assistant_id, { request: "What is 2 + 3?" });
      const usual = await run("cot_tulip", { request: "What is 2 + 3?" });
      expect(few.searches.map(({ hits }) => hits.length)).toEqual([3]);
      expect(usual.searches[0]?.hits.length).toBeGreaterThan(3);
    });
  });

  describe.each(GRAPH_IDS)("the forms of %s", (id) => {
    it("ask for a request or messages, and for nothing internal", async () => {
      const { input_schema } = await client.assistants.getSchemas(id);
      expect(Object.keys(input_schema?.properties ?? {}).toSorted()).toEqual([
        "messages",
        "request",
        "undo",
      ]);
      expect(input_schema?.required ?? []).toEqual([]);
      expect(input_schema?.properties).toMatchObject({
        request: { type: "string", description: expect.stringMatching(/plain words/) },
        messages: { langgraph_type: "messages" },
      });
    });

    it("promise the answer, how the run ended, its plan and calls, its budget, its usage and the conversation", async () => {
      const { output_schema } = await client.assistants.getSchemas(id);
      expect(output_schema?.properties).toMatchObject({
        answer: { type: "string" },
        status: {
          type: "string",
          enum: expect.arrayContaining(["solved", "unsolved", "limit", "budget"]),
        },
        calls: { type: "array" },
        usage: { type: "object" },
        messages: { langgraph_type: "messages" },
      });
      expect(Object.keys(output_schema?.properties ?? {}).toSorted()).toEqual([
        "answer",
        "calls",
        "deeds",
        "ledger",
        "messages",
        "plan",
        "program",
        "status",
        "usage",
      ]);
    });

    it("offer every setting with its description and its default, and demand none", async () => {
      const { context_schema } = await client.assistants.getSchemas(id);
      const settings = context_schema?.properties ?? {};
      expect(Object.keys(settings)).toEqual(Object.keys(settingsSchema.shape));
      const described = Object.values(settings).map((setting) => Object(setting).description);
      expect(described).not.toContain(undefined);
      expect(context_schema?.required ?? []).toEqual([]);
      expect(settings).toMatchObject({
        model: { type: "string", default: "offline:planner" },
        library: { type: "string", default: "math" },
        topK: { type: "integer", default: 10 },
      });
    });
  });

  describe("a run", () => {
    it.each([
      ["a request", { request: REQUEST }],
      ["messages", { messages: [{ role: "user", content: REQUEST }] }],
      ["both, of which one is empty", { request: REQUEST, messages: [] }],
    ])("takes %s", async (_, input) => {
      const state = await run("cot_tulip", input);
      expect(state.status).toBe("solved");
      expect(state.answer).toContain(ANSWER);
      expect(state.calls.map(({ tool }) => tool)).toEqual(["multiply", "add"]);
    });

    it("streams what each stage changes as updates", async () => {
      const updates = await stream("updates", "updates");
      const stages = updates.flatMap((update) => Object.keys(Object(update)));
      expect(stages.slice(0, 4)).toEqual(["intake", "decompose", "phraseSearch", "search"]);
      expect(stages.slice(4, -1)).toEqual(["act", "execute", "act", "execute", "act"]);
      expect(updates.at(-1)).toMatchObject({
        respond: { answer: expect.stringContaining(ANSWER) },
      });
    });

    it("streams complete messages as messages", async () => {
      const complete = (await stream("messages", "messages/complete")).flat();
      expect(complete).toContainEqual(expect.objectContaining({ type: "tool", content: ANSWER }));
      expect(complete.at(-1)).toMatchObject({
        type: "ai",
        content: expect.stringContaining(ANSWER),
      });
    });

    it("streams the messages of the conversation as tuples, each with its stage", async () => {
      const tuples = (await stream("messages-tuple", "messages")) as [object, object][];
      const stages = tuples.map(([, metadata]) => Object(metadata).langgraph_node as string);
      // Decomposition and search phrases are no part of the conversation.
      expect(new Set(stages)).toEqual(new Set(["intake", "act", "execute", "respond"]));
      expect(tuples.at(-1)?.[0]).toMatchObject({ content: expect.stringContaining(ANSWER) });
    });

    it("takes more than 25 steps with the default settings", async () => {
      const id = "cot_tulip";
      const request =
        "What is 1 + 2 * 3 - 4 + 5 * 6 - 7 + 8 * 9 - 10 + 11 * 12 - 13 + 14 * 15 - 16?";
      const state = await run(id, { request });
      expect(state).toMatchObject({ status: "solved", answer: expect.stringContaining("401") });
      // The same with LangGraph's own limit, which shows that the run needs more.
      const config = { recursion_limit: 25 };
      await expect(run(id, { request }, { config })).rejects.toThrow(/Recursion limit of 25/);
    });

    it.each([
      [{ topK: "many" }, /topK: .*number/],
      [{ libary: "math" }, /unknown setting .*libary.*did you mean .*library/],
      [{ library: "maths" }, /unknown library .*maths.*did you mean .*math/],
      [{ model: "nobody:gpt" }, /unknown model provider .*nobody/],
    ])("with the wrong setting %j fails with an error that names it", async (context, message) => {
      await expect(run("cot_tulip", { request: REQUEST }, { context })).rejects.toThrow(message);
    });
  });

  describe("a thread", () => {
    it("shows its state and its history, stage by stage", async () => {
      const { thread_id } = await client.threads.create();
      await run("cot_tulip", { request: REQUEST }, { thread: thread_id });
      const state = await client.threads.getState<GraphState>(thread_id);
      expect(state.next).toEqual([]);
      expect(state.values).toMatchObject({ status: "solved", run: { request: REQUEST } });
      const history = await client.threads.getHistory<GraphState>(thread_id, { limit: 100 });
      const stages = history.flatMap(({ next }) => next).toReversed();
      expect(stages.slice(0, 5)).toEqual([
        "__start__",
        "intake",
        "decompose",
        "phraseSearch",
        "search",
      ]);
      expect(stages.at(-1)).toBe("respond");
    });

    it("keeps its conversation, and starts the next run afresh", async () => {
      const { thread_id } = await client.threads.create();
      const first = await run("cot_tulip", { request: REQUEST }, { thread: thread_id });
      const second = await run(
        "naive_tool",
        { messages: [{ role: "user", content: "What is 7 * 8?" }] },
        { thread: thread_id },
      );
      expect(second.messages.slice(0, first.messages.length)).toEqual(first.messages);
      expect(second).toMatchObject({ status: "solved", answer: expect.stringContaining("56") });
      expect(second.calls.map(({ tool }) => tool)).toEqual(["multiply"]);
    });

    it("on which another process works takes no run until that one has let it go", async () => {
      const { thread_id } = await client.threads.create();
      const { journal } = openWorkspace().runtime;
      const hold = await journal.hold(thread_id);
      const held = run("cot_tulip", { request: REQUEST }, { thread: thread_id });
      await expect(held).rejects.toThrow(
        new RegExp(`process ${process.pid} on .* has been working on it`),
      );
      expect(await journal.calls(thread_id)).toEqual([]);
      await hold.release();
      const state = await run("cot_tulip", { request: REQUEST }, { thread: thread_id });
      expect(state).toMatchObject({ status: "solved", answer: expect.stringContaining(ANSWER) });
    });
  });

  describe("a remote graph", () => {
    let remote: RemoteGraph;
    beforeAll(() => {
      remote = new RemoteGraph({ graphId: "cot_tulip", url: server.url });
    });

    it("is invoked as a local one is", async () => {
      const state = (await remote.invoke({ request: REQUEST })) as GraphState;
      expect(state).toMatchObject({ status: "solved", answer: expect.stringContaining(ANSWER) });
    });

    it("keeps a conversation on its thread, and shows its state", async () => {
      const { thread_id } = await client.threads.create();
      const config = { configurable: { thread_id } };
      await remote.invoke({ request: REQUEST }, config);
      const { values, next } = await remote.getState(config);
      expect(next).toEqual([]);
      expect(values).toMatchObject({ status: "solved" });
    });
  });

  /** Runs an assistant to its end, on a thread of its own unless one is given. */
  async function run(
    assistant: string,
    input: Record<string, unknown>,
    { thread, ...options }: { thread?: string; context?: object; config?: object } = {},
  ): Promise<GraphState> {
    const id = thread ?? (await client.threads.create()).thread_id;
    return (await client.runs.wait(id, assistant, { input, ...options })) as unknown as GraphState;
  }

  /** What one event of the stream carries, for each time that it comes. */
  async function stream(
    streamMode: "values" | "updates" | "messages" | "messages-tuple",
    event: string,
  ): Promise<unknown[]> {
    const received: unknown[] = [];
    const { thread_id } = await client.threads.create();
    const input = { request: REQUEST };
    for await (const part of client.runs.stream(thread_id, "cot_tulip", { input, streamMode })) {
      if (part.event === event) received.push(part.data);
    }
    return received;
  }
}
