import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { IMAGINARY_SQUARE_ROOT, SQUARE_ROOT } from "../fakes/drafts.js";
import { type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

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
