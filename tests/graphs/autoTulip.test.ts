import { Command, MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { allGraphs } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import type { LibraryEditor } from "../../tools/library/library.js";
import {
  BROKEN_SQUARE_ROOT,
  DIGIT_SUM,
  IMAGINARY_SQUARE_ROOT,
  SQUARE_ROOT,
  WRONG_TYPES,
} from "../fakes/drafts.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary, importFixture } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

/** A library of its own for each test, so that none finds another's tools. */
let library: LibraryEditor;
let settings: Record<string, unknown>;
let count = 0;

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

beforeEach(async () => {
  // These are about edits of the library itself; what belongs to a thread is in madeTools.test.ts.
  settings = { ...TEST_LIBRARY, library: `own${++count}`, madeTools: "library" };
  await importFixture({
    store: openWorkspace().store,
    settings: { library: `own${count}`, embeddings: TEST_LIBRARY.embeddings },
    file: "tests/fixtures/library/tools.ts",
  });
  library = await openWorkspace().library({
    library: `own${count}`,
    embeddings: TEST_LIBRARY.embeddings,
  });
});

const search = (...action_descriptions: string[]): Reply => ({
  calls: [{ name: "search_tools", args: { action_descriptions } }],
});
const create = (task_description: string): Reply => ({
  calls: [{ name: "create_tool", args: { task_description } }],
});
const update = (tool_name: string, instruction: string): Reply => ({
  calls: [{ name: "update_tool", args: { tool_name, instruction } }],
});
const remove = (tool_name: string): Reply => ({
  calls: [{ name: "delete_tool", args: { tool_name } }],
});
const root = (value: number): Reply => ({ calls: [{ name: "square_root", args: { value } }] });

it("a tool that was not there is not denied once it was made and called", async () => {
  const answer = "It is 5. There was no tool for square roots, so I created square_root.";
  const ask = onThread([
    search("square root of a number"),
    create("Square root of a number"),
    { text: SQUARE_ROOT },
    root(25),
    { stop: answer },
  ]);
  const question = "What is the square root of 25? Make a tool for it if there is none.";
  expect(await ask(question)).toMatchObject({ status: "solved", answer });
});

describe("the published session, on one thread", () => {
  it("creates a tool, changes it, uses it and deletes it", async () => {
    const ask = onThread([
      search("square root of a number"),
      create("Square root of a number"),
      { text: SQUARE_ROOT },
      root(23_456_789),
      { stop: "It is 4843.22." },

      search("square root of a number"),
      update("square_root", "Give the imaginary root of negative numbers as a text"),
      { text: IMAGINARY_SQUARE_ROOT },
      { stop: "Done." },

      search("square root of a number"),
      root(-200),
      { stop: "It is 14.142135623730951i." },

      remove("square_root"),
      { stop: "It is deleted." },
    ]);
    const first = await ask("What is the square root of 23456789?");
    expect(first.edits).toMatchObject([{ kind: "create", tool: "square_root", outcome: "done" }]);
    expect(first.calls).toMatchObject([{ tool: "square_root", result: Math.sqrt(23_456_789) }]);
    const second = await ask("Make it work for negative numbers, too.");
    expect(second.edits).toMatchObject([{ kind: "update", outcome: "done", version: 2 }]);
    expect(second.edits[0]?.reason).toContain("square_root(-4) => throws");
    const third = await ask("What is the square root of -200?");
    expect(third.calls).toMatchObject([{ result: "14.142135623730951i" }]);
    const fourth = await ask("Delete the square root tool.");
    expect(fourth).toMatchObject({ status: "solved", answer: "It is deleted." });
    expect(library.get("square_root")).toBeUndefined();
    expect(library.history("square_root").map(({ note }) => note?.why)).toEqual([
      "Square root of a number",
      "Give the imaginary root of negative numbers as a text",
      "Delete the square root tool.",
    ]);
  });
});

describe("within one run", () => {
  it("answers all calls of one reply, searches first", async () => {
    const { state } = await run([
      {
        calls: [
          { name: "double_number", args: { value: 21 } },
          { name: "create_tool", args: { task_description: "Sum of the digits of a number" } },
          { name: "search_tools", args: { action_descriptions: ["double a number"] } },
          { name: "decompose_task", args: { task: "Double 21 and greet Ada" } },
        ],
      },
      { subtasks: ["Double 21", "Greet Ada"] },
      { text: DIGIT_SUM },
      { stop: "Done." },
    ]);
    expect(state).toMatchObject({
      status: "solved",
      calls: [{ tool: "double_number", result: 42 }],
    });
    const answers = state.messages.filter(({ type }) => type === "tool").map(({ text }) => text);
    expect(answers).toEqual([
      expect.stringMatching(/^double a number: double_number/),
      "42",
      "1. Double 21\n2. Greet Ada",
      expect.stringContaining("digit_sum was created"),
      expect.anything(),
    ]);
  });

  it("tells the model what its calls of control tools lack", async () => {
    const { state } = await run([
      {
        calls: [
          { name: "search_tools", args: { action_descriptions: [] } },
          { name: "decompose_task", args: {} },
          { name: "create_tool", args: { task_description: " " } },
          { name: "update_tool", args: { tool_name: "square_root" } },
          { name: "delete_tool", args: { tool_name: "double_number" } },
          { name: "delete_tool", args: { tool_name: "square_rot" } },
        ],
      },
      { stop: "Done." },
    ]);
    const answers = state.messages.filter(({ type }) => type === "tool").map(({ text }) => text);
    expect(answers.slice(0, 6)).toEqual([
      expect.stringContaining("needs action_descriptions"),
      expect.stringContaining("needs task"),
      expect.stringContaining("needs task_description"),
      expect.stringContaining("needs tool_name and instruction"),
      expect.stringContaining("was not created by a model"),
      expect.stringContaining('unknown created tool "square_rot"'),
    ]);
    expect(library.get("double_number")).toBeDefined();
  });
});

describe("a draft", () => {
  it("of a change must pass the examples of the previous version, or restate them", async () => {
    const { state, questions } = await run([
      create("Square root of a number"),
      { text: SQUARE_ROOT },
      update("square_root", "Round the result"),
      { text: BROKEN_SQUARE_ROOT },
      { text: IMAGINARY_SQUARE_ROOT },
      { stop: "Done." },
    ]);
    const again = questions[4];
    expect(again?.stage === "writeTool" && again.input.failed?.problem).toContain(
      "square_root(-4) => throws fails: it gives 2",
    );
    expect(state.edits).toMatchObject([{ outcome: "done" }, { outcome: "done", failures: 1 }]);
    expect(library.history("square_root").at(-1)?.note?.breaks).toEqual([
      "square_root(-4) => throws",
    ]);
  });
});

describe("an edit that was made before its checkpoint was saved", () => {
  it.each([
    { kind: "a new tool", script: [create("Square root"), { text: SQUARE_ROOT }], versions: 1 },
    {
      kind: "a change",
      script: [
        create("Square root"),
        { text: SQUARE_ROOT },
        update("square_root", "Imaginary roots, too"),
        { text: IMAGINARY_SQUARE_ROOT },
      ],
      versions: 2,
    },
    {
      kind: "a deletion",
      script: [create("Square root"), { text: SQUARE_ROOT }, remove("square_root")],
      versions: 2,
    },
  ])("is not made again: $kind", async ({ script, versions }) => {
    const model = scriptedModel([...script, { stop: "Done." }]);
    const { graph, config } = thread({ model: model.spec });
    const first = (await graph.invoke({ request: "Do it." }, config)) as GraphState;
    const history = library.history("square_root");
    expect(history).toHaveLength(versions);
    for await (const { next, config: before } of graph.getStateHistory(config)) {
      if (next[0] !== "editLibrary") continue;
      const again = (await graph.invoke(null, { ...config, ...before })) as GraphState;
      expect(again).toMatchObject({ status: "solved", answer: first.answer });
      break;
    }
    expect(library.history("square_root")).toEqual(history);
  });
});

describe("somebody else who changes the tool meanwhile", () => {
  it("wins, and the model is told", async () => {
    await run([create("Square root"), { text: SQUARE_ROOT }, { stop: "Done." }]);
    const { state } = await run(async (question) => {
      if (question.stage === "writeTool") {
        await changeSquareRoot();
        return { text: IMAGINARY_SQUARE_ROOT };
      }
      return isAnswered(question)
        ? { stop: "Somebody else has changed it.", solved: false }
        : update("square_root", "Imaginary roots, too");
    });
    expect(state.edits).toMatchObject([
      { outcome: "failed", reason: expect.stringContaining("is at version 2 by now") },
    ]);
    expect(library.get("square_root")).toMatchObject({ description: "Another", version: 2 });
  });
});

describe("with approval of changes", () => {
  const WAITING = [create("Sum of the digits of a number"), { text: DIGIT_SUM }, { stop: "Done." }];

  it("waits with the code and its tests, and continues once it is approved", async () => {
    const { graph, config, waiting } = await waitingRun(WAITING);
    expect(waiting).toMatchObject({
      kind: "edit",
      actionRequests: [
        {
          name: "create_tool",
          args: {
            tool: "digit_sum",
            code: expect.stringContaining("export function digit_sum"),
          },
        },
      ],
      tests: ["digit_sum(123) => 6: passed", "digit_sum(99) => 18: passed"],
    });
    expect(library.get("digit_sum")).toBeUndefined();
    const state = await decide({ graph, config }, { type: "approve" });
    expect(state).toMatchObject({ status: "solved", edits: [{ outcome: "done" }] });
    expect(library.history("digit_sum")[0]?.note?.approval?.decision).toBe("approved");
  });

  it("takes a person's own code, and asks again if it cannot be used", async () => {
    const { graph, config } = await waitingRun(WAITING);
    await graph.invoke(answer(ownCode(WRONG_TYPES)), config);
    expect(await waitingIn(graph, config)).toMatchObject({
      problem: expect.stringContaining("not assignable"),
    });
    const own = DIGIT_SUM.replace("Sum of the digits", "The digits summed up");
    const state = await decide({ graph, config }, ownCode(own));
    expect(state.edits).toMatchObject([{ outcome: "done" }]);
    expect(library.get("digit_sum")?.description).toContain("summed up");
    expect(library.history("digit_sum")[0]?.note?.approval?.decision).toBe("edited");
  });

  it("waits before it deletes", async () => {
    await run([create("Sum of digits"), { text: DIGIT_SUM }, { stop: "Done." }]);
    const { graph, config, waiting } = await waitingRun([remove("digit_sum"), { stop: "Kept." }]);
    expect(waiting).toMatchObject({
      kind: "edit",
      actionRequests: [{ name: "delete_tool", args: { tool: "digit_sum" } }],
    });
    await decide({ graph, config }, { type: "reject" });
    expect(library.get("digit_sum")).toBeDefined();
  });
});

/** What somebody else does to the tool while the model writes. */
async function changeSquareRoot(): Promise<void> {
  const tool = library.get("square_root");
  if (!tool) throw new Error("there is no such tool");
  const note = { by: "person", why: "in between" };
  await library.put({ tool: { ...tool, description: "Another" }, basedOn: 1, note });
}

function isAnswered({ messages }: Question): boolean {
  return messages.some(({ type }) => type === "tool");
}

async function run(
  script: Reply[] | ((question: Question) => Promise<Reply>),
  more: Record<string, unknown> = {},
): Promise<{ state: GraphState; questions: Question[] }> {
  const model = scriptedModel(script);
  const { graph, config } = thread({ ...more, model: model.spec });
  await graph.invoke({ request: "Do it." }, config);
  const { values } = await graph.getState(config);
  return { state: values as GraphState, questions: model.questions };
}

function onThread(script: Reply[]) {
  const { graph, config } = thread({ model: scriptedModel(script).spec });
  return async (request: string) => (
    await graph.invoke({ request }, config),
    (await graph.getState(config)).values as GraphState
  );
}

function thread(more: Record<string, unknown>) {
  const graph = compileGraph(graphs.auto_tulip.wiring, {
    name: "auto_tulip",
    checkpointer: new MemorySaver(),
  });
  const config = {
    configurable: { thread_id: crypto.randomUUID() },
    context: { ...settings, ...more },
  };
  return { graph, config };
}

type Thread = ReturnType<typeof thread>;

async function waitingRun(script: Reply[]) {
  const { graph, config } = thread({ model: scriptedModel(script).spec, approval: "writes" });
  await graph.invoke({ request: "Do it." }, config);
  return { graph, config, waiting: await waitingIn(graph, config) };
}

async function waitingIn(graph: Thread["graph"], config: Thread["config"]): Promise<unknown> {
  const { tasks } = await graph.getState(config);
  return tasks.flatMap(({ interrupts }) => interrupts)[0]?.value;
}

function ownCode(code: string) {
  return { type: "edit", editedAction: { name: "create_tool", args: { code } } };
}

function answer(decision: Record<string, unknown>) {
  return new Command({ resume: { decisions: [decision] } });
}

async function decide({ graph, config }: Thread, decision: Record<string, unknown>) {
  await graph.invoke(answer(decision), config);
  return (await graph.getState(config)).values as GraphState;
}
