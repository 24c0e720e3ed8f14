import { END, START, StateGraph } from "@langchain/langgraph";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Demonstration } from "../../../memory/demonstrations/demonstrationStore.js";
import { selectDemos } from "../../../nodes/finding/selectDemos.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { settingsForm } from "../../../state/settings.js";
import { State } from "../../../state/state.js";
import { emptyState } from "../../fakes/emptyState.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";
import { demonstration } from "../../memory/demonstrations/support.js";

const GRAPH = new StateGraph({ state: State, context: settingsForm })
  .addNode("selectDemos", selectDemos())
  .addEdge(START, "selectDemos")
  .addEdge("selectDemos", END)
  .compile();

function shown(tool: string, task: string, level: Demonstration["level"] = "subtask") {
  const { library } = TEST_LIBRARY;
  return demonstration({ library, task, level, calls: [{ tool, args: {} }] });
}

beforeAll(importTestLibrary);
beforeEach(async () => {
  await (
    await openWorkspace().experience()
  ).demonstrations.add([
    shown("double_number", "double the number 21"),
    shown("double_number", "double the number 4"),
    shown("treble_number", "double the number 5"),
    shown("greet", "say hello", "tool"),
  ]);
});
afterAll(closeWorkspaces);

/** What the node writes for a request that has found `greet`. */
async function selected(
  request: string,
  options: {
    context?: Record<string, unknown>;
    earlier?: Demonstration[];
    toolIds?: string[];
  } = {},
) {
  const { context, earlier = [], toolIds = ["greet"] } = options;
  const state = emptyState({ run: { id: "run", request }, toolIds });
  const { demonstrations, usage, ...after } = await GRAPH.invoke(
    { ...state, demonstrations: earlier },
    { context: { ...TEST_LIBRARY, ...context } },
  );
  return { tasks: demonstrations.map(({ task }) => task), usage, toolIds: after.toolIds };
}

describe("selectDemos", () => {
  it("chooses tasks like the request, with tools that the library has", async () => {
    const request = "double the number 4 now";
    const { tasks, usage } = await selected(request);
    expect(tasks).toEqual(["double the number 4"]);
    expect(usage.embeddingTokens).toBeGreaterThan(0);
    const near = await selected(request, { context: { demoThreshold: 0.6 } });
    expect(near.tasks).toEqual(["double the number 4", "double the number 21"]);
    const one = await selected(request, { context: { demoThreshold: 0.6, demos: 1 } });
    expect(one.tasks).toEqual(["double the number 4"]);
  });

  it("falls back to the tools that were found", async () => {
    expect((await selected("welcome Ada")).tasks).toEqual(["say hello"]);
  });

  it("shows none with a tool that the run may not use", async () => {
    const context = { toolIds: ["greet"] };
    expect((await selected("double the number 4", { context })).tasks).toEqual(["say hello"]);
  });

  it("falls back to the nearest of the tools at hand, if these are more than a search finds", async () => {
    const { demonstrations } = await openWorkspace().experience();
    await demonstrations.add([shown("halve_number", "by two", "tool")]);
    const toolIds = ["greet", "double_number", "halve_number"];
    const select = async (topK: number) =>
      await selected("halve a number for a person", { toolIds, context: { topK } });
    const all = await select(3);
    expect(all.tasks).toEqual(["say hello", "by two"]);
    const nearest = await select(1);
    expect(nearest.tasks).toEqual(["by two"]);
    expect(nearest.usage.embeddingTokens).toBe(2 * all.usage.embeddingTokens);
  });

  it("empties the channel and embeds nothing with demos at 0, or for a library without any", async () => {
    const earlier = [shown("greet", "of an earlier request")];
    for (const context of [{ demos: 0 }, { library: "unknown" }]) {
      const { tasks, usage } = await selected("double the number 4", { context, earlier });
      expect({ tasks, tokens: usage.embeddingTokens }).toEqual({ tasks: [], tokens: 0 });
    }
  });
});
