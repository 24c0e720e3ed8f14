import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../nodes/workspace/workspace.js";
import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import { DIGIT_SUM, IMAGINARY_SQUARE_ROOT, SQUARE_ROOT } from "../fakes/drafts.js";
import { type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { run as runTree } from "./taskTreeRuns.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const create = (task_description: string): Reply => ({
  calls: [{ name: "create_tool", args: { task_description } }],
});
const update = (tool_name: string): Reply => ({
  calls: [{ name: "update_tool", args: { tool_name, instruction: "Imaginary roots, too" } }],
});
const remove = (tool_name: string): Reply => ({
  calls: [{ name: "delete_tool", args: { tool_name } }],
});
const root = (value: number): Reply => ({ calls: [{ name: "square_root", args: { value } }] });

/** A thread on which one turn follows another, in whatever graph. */
function conversation() {
  const checkpointer = new MemorySaver();
  const threadId = crypto.randomUUID();
  const config = { configurable: { thread_id: threadId } };
  const ask = async (script: Reply[], id: GraphId = "auto_tulip", settings = {}) => {
    const graph = compileGraph(graphs[id].wiring, { name: id, checkpointer });
    const model = scriptedModel(script);
    const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
    await graph.invoke({ request: "Do it." }, { ...config, context });
    const state = (await graph.getState(config)).values as GraphState;
    return { state, questions: model.questions };
  };
  return { threadId, ask };
}

const shared = () => openWorkspace().library(TEST_LIBRARY);
const answersIn = ({ messages }: GraphState) =>
  messages.filter(({ type }) => type === "tool").map(({ text }) => text);

describe("a tool that a model makes", () => {
  it("exists in later turns of its thread, but neither in the library nor on other threads", async () => {
    const { ask, threadId } = conversation();
    const before = (await shared()).list();
    const first = await ask([
      create("Square root"),
      { text: SQUARE_ROOT },
      root(16),
      { stop: "4" },
    ]);
    expect(first.state.calls).toMatchObject([{ tool: "square_root", result: 4 }]);
    expect((await shared()).list()).toEqual(before);
    const own = await openWorkspace().library({ ...TEST_LIBRARY, threadId });
    expect(own.get("square_root")?.source.kind).toBe("generated");

    const search: Reply = {
      calls: [{ name: "search_tools", args: { action_descriptions: ["square root of a number"] } }],
    };
    const later = await ask([search, root(25), { stop: "5" }]);
    expect(answersIn(later.state)).toContainEqual(expect.stringContaining("square_root"));
    expect(later.state.calls).toMatchObject([{ tool: "square_root", result: 5 }]);
    const other = await conversation().ask([search, root(25), { stop: "No.", solved: false }]);
    expect(other.state.calls).toMatchObject([{ error: expect.stringContaining("unknown tool") }]);
  });

  it("can be changed and deleted on its thread, and used by other graphs there", async () => {
    const { ask } = conversation();
    await ask([create("Square root"), { text: SQUARE_ROOT }, { stop: "Made." }]);
    const changed = await ask([
      update("square_root"),
      { text: IMAGINARY_SQUARE_ROOT },
      { stop: "Done." },
    ]);
    expect(changed.state.edits).toMatchObject([{ outcome: "done", version: 2 }]);
    const used = await ask([root(-4), { stop: "2i" }], "naive_tool");
    expect(used.state.calls).toMatchObject([{ tool: "square_root", result: "2i" }]);
    const deleted = await ask([remove("square_root"), { stop: "Gone." }]);
    expect(deleted.state.edits).toMatchObject([{ kind: "delete", outcome: "done" }]);
  });

  it("belongs to the run if there is no thread", async () => {
    const model = scriptedModel([
      create("Square root"),
      { text: SQUARE_ROOT },
      root(9),
      { stop: "3" },
    ]);
    const graph = compileGraph(graphs.auto_tulip.wiring, { name: "auto_tulip" });
    const context = { ...TEST_LIBRARY, model: model.spec };
    const { calls } = await graph.invoke({ request: "Do it." }, { context });
    expect(calls).toMatchObject([{ tool: "square_root", result: 3 }]);
    expect((await shared()).get("square_root")).toBeUndefined();
  });

  it("is made for its thread in a task tree, too", async () => {
    const { state } = await runTree({
      request: "reverse zzz",
      settings: { threshold: 1e-6 },
      writeTool: () => ({ text: DIGIT_SUM }),
      act: ({ observations }) =>
        observations.length === 0
          ? { calls: [{ name: "digit_sum", args: { value: 12 } }] }
          : { stop: String(observations[0]?.result) },
    });
    expect(state).toMatchObject({ status: "solved", answer: "3" });
    expect((await shared()).get("digit_sum")).toBeUndefined();
  });

  it("goes to the library, and may be changed from any thread, if so configured", async () => {
    const settings = { madeTools: "library" };
    const maker = conversation();
    await maker.ask(
      [create("Square root"), { text: SQUARE_ROOT }, { stop: "Made." }],
      "auto_tulip",
      settings,
    );
    expect((await shared()).get("square_root")).toBeDefined();
    const refused = await conversation().ask([remove("square_root"), { stop: "No." }]);
    expect(answersIn(refused.state)[0]).toMatch(/cannot be changed or deleted/);
    await conversation().ask([remove("square_root"), { stop: "Gone." }], "auto_tulip", settings);
    expect((await shared()).get("square_root")).toBeUndefined();
  });
});

const doubling = (name: string, example = "(2) => 4") => `\`\`\`ts
/**
 * Twice a value, for whoever needs it.
 * @param n The value.
 * @returns twice the value
 * @example ${name}(3) => 6
 * @example ${name}${example}
 */
export function ${name}(n: number): number {
  return 2 * n;
}
\`\`\``;

describe("a tool that is there already", () => {
  it("is shown before one is written if it shares words with the wish, even if it is not near", async () => {
    const { questions } = await conversation().ask([
      create("a person arrives and the agent has to say a friendly greet line aloud"),
      { text: "USE: greet." },
      { stop: "Done." },
    ]);
    const [, asked] = questions;
    expect(asked?.stage === "writeTool" && asked.input.similar.map(({ name }) => name)).toContain(
      "greet",
    );
  });

  it("is used instead of one whose name differs only in separators", async () => {
    const { ask } = conversation();
    const { state } = await ask([
      create("Twice a number"),
      { text: doubling("doubleNumber") },
      { calls: [{ name: "double_number", args: { value: 21 } }] },
      { stop: "42" },
    ]);
    expect(state.edits).toMatchObject([{ outcome: "reused", tool: "double_number" }]);
    expect(state.calls).toMatchObject([{ result: 42 }]);
  });

  it("is used instead of one that nobody asked for, in a task tree", async () => {
    const { state } = await runTree({
      request: "twofold of the number 21",
      settings: { threshold: 1e-6 },
      writeTool: () => ({ text: doubling("DoubleNumber") }),
      act: ({ observations }) =>
        observations.length === 0
          ? { calls: [{ name: "double_number", args: { value: 21 } }] }
          : { stop: String(observations[0]?.result) },
    });
    expect(state).toMatchObject({
      status: "solved",
      answer: "42",
      edits: [{ outcome: "reused", tool: "double_number" }],
    });
  });

  it("is named to the model if it does the same, and used if the model sees no difference", async () => {
    const { ask } = conversation();
    const { state, questions } = await ask(
      [
        create("double a number"),
        { text: doubling("twice") },
        { text: doubling("twofold") },
        { text: doubling("thrice") },
        { stop: "Done." },
      ],
      "auto_tulip",
    );
    const again = questions[2];
    expect(again?.stage === "writeTool" && again.input.failed?.problem).toContain(
      "USE: double_number",
    );
    expect(state.edits).toMatchObject([{ outcome: "reused", tool: "double_number" }]);
  });

  it("does not replace one that takes or gives something else", async () => {
    const { ask } = conversation();
    const other = doubling("doubled_number")
      .replace("2 * n;", "n % 2 ? 2 * n : -n;")
      .replace("=> 4", "=> -2");
    const { state } = await ask([create("double a number"), { text: other }, { stop: "Done." }]);
    expect(state.edits).toMatchObject([{ outcome: "done", tool: "doubled_number" }]);
  });
});

it("the catalog's mean is shown for a wish for an arithmetic average of numbers", async () => {
  for (const wish of ["arithmetic mean of numbers", "average of a list of values"]) {
    const { questions } = await conversation().ask(
      [create(wish), { text: "USE: mean" }, { stop: "Done." }],
      "auto_tulip",
      { library: "math", embeddings: LOCAL_EMBEDDINGS, threshold: undefined },
    );
    const [, asked] = questions;
    const shown = asked?.stage === "writeTool" ? asked.input.similar.map(({ name }) => name) : [];
    expect(shown).toContain("mean");
  }
});
