import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { END, START, StateGraph } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { search } from "../../../nodes/finding/search.js";
import { createLibrary } from "../../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { settingsForm } from "../../../state/settings.js";
import { freshProgram } from "../../../state/program.js";
import { type GraphState, State } from "../../../state/state.js";
import { emptyState } from "../../fakes/emptyState.js";
import { importTestLibrary, TEST_LIBRARY } from "../../fakes/testLibrary.js";

const GRAPH = new StateGraph({ state: State, context: settingsForm })
  .addNode("search", search({ by: "planning" }))
  .addEdge(START, "search")
  .addEdge("search", END)
  .compile();

const { threshold: _, ...library } = TEST_LIBRARY;
/** The library has a tool more, so it is not shown whole. */
const WITHOUT_THRESHOLD = { ...library, primingTopK: 5 };
const REQUEST = "double the number 4, greet the person Ada, then write a line into the log";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

async function searched(request: string, context: Record<string, unknown> = {}) {
  const state = emptyState({ run: { id: "run", request } });
  return await GRAPH.invoke(state, { context: { ...WITHOUT_THRESHOLD, ...context } });
}

describe("a search for a plan", () => {
  it("finds the tool of each part, even if fewer tools are wanted than parts would find", async () => {
    const { toolIds, status } = await searched(REQUEST, { primingTopK: 3 });
    expect(toolIds.toSorted()).toEqual(["double_number", "greet", "write_line"]);
    expect(status).toBe("running");
  });

  it("is not made in a library that is shown whole", async () => {
    const { searches, toolIds, usage } = await searched(REQUEST, { primingTopK: 25 });
    expect(searches).toEqual([]);
    expect(toolIds).toContain("double_number");
    expect(toolIds).toHaveLength(6);
    expect(usage.embeddingTokens).toBe(0);
  });

  it("ends the run in an empty library", async () => {
    const { store } = openWorkspace();
    const settings = { ...WITHOUT_THRESHOLD, library: "empty" };
    await createLibrary({ store, settings });
    const { status, answer } = await searched(REQUEST, settings);
    expect({ status, answer }).toEqual({
      status: "unsolved",
      answer: `No tool was found for: ${REQUEST}`,
    });
  });

  it("has no threshold unless one is set", async () => {
    const request = "double the number 4";
    const free = await searched(request);
    expect(free.toolIds).toContain("double_number");
    const strict = await searched(request, { threshold: 0.01 });
    expect(strict.toolIds).toEqual([]);
  });

  it("leaves it to the contents if nothing at all is found, with the request's search on record", async () => {
    const request = "whistle some merry tune, knit a woollen scarf";
    const { status, toolIds, searches } = await searched(request, { threshold: 0.1 });
    expect({ status, toolIds }).toEqual({ status: "running", toolIds: [] });
    const [search, ...others] = searches ?? [];
    expect(others).toEqual([]);
    expect(search).toMatchObject({ phrase: request, depth: 0, hits: [], nearest: { needed: 0.1 } });
    expect(search?.nearest?.distance).toBeGreaterThan(0.1);
  });
});
async function phrases(state: GraphState) {
  const { searches } = await GRAPH.invoke(state, { context: WITHOUT_THRESHOLD });
  return searches.map(({ phrase }) => phrase);
}

describe("a search for a turn that relies on earlier ones", () => {
  const asked = "double the number 4";
  const turns = (request: string, channels: Partial<GraphState> = {}) =>
    emptyState({
      messages: [new HumanMessage(asked), new AIMessage("8"), new HumanMessage(request)],
      run: { id: "run", request },
      ...channels,
    });

  it("adds the previous request to its question if the current one is short", async () => {
    const request = "And of 5?";
    expect(await phrases(turns(request))).toEqual([`${request}\n${asked}`]);
    const { toolIds } = await GRAPH.invoke(turns(request), { context: WITHOUT_THRESHOLD });
    expect(toolIds).toContain("double_number");
  });

  it("adds to its question why a person rejected the program", async () => {
    const program = {
      ...freshProgram({ code: "", repairs: [], today: "2026-03-01" }, null),
      cues: ["look it up first", "greet Ada"],
      issues: [{ kind: "rejected" as const, problem: "a person has rejected it" }],
    };
    const request = "double the number 4 and write what comes of it into the log";
    expect(await phrases(turns(request, { program }))).toEqual([`${request}\ngreet Ada`]);
  });
});
