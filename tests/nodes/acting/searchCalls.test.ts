import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { END, START, StateGraph } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MOST_OFFERED } from "../../../common/bounds.js";
import { searchCalls } from "../../../nodes/acting/searchCalls.js";
import { settingsForm } from "../../../state/settings.js";
import { type GraphState, State } from "../../../state/state.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import { emptyState } from "../../fakes/emptyState.js";
import { importTestLibrary, TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";

const GRAPH = new StateGraph({ state: State, context: settingsForm })
  .addNode("searchCalls", searchCalls())
  .addEdge(START, "searchCalls")
  .addEdge("searchCalls", END)
  .compile();

/** More tools than may be on offer at once, each called by a word of its own. */
const MANY = Array.from({ length: MOST_OFFERED + 20 }, (_, at) => `tool${at}`);

/** A tool that takes no arguments. */
function toolNamed(id: string): ToolDefinition {
  return {
    id,
    name: id,
    description: `Does ${id}.`,
    parameters: { type: "object", properties: {} },
    source: { kind: "declared", file: "tools.jsonl" },
    effects: "read",
  };
}

beforeAll(async () => {
  await importTestLibrary();
  const many = await openWorkspace().store.open({
    name: "many",
    embeddings: wordEmbeddings({ dimensions: 1024 }),
    embeddingModel: TEST_LIBRARY.embeddings,
    create: true,
  });
  await many.sync({ origin: "many", fingerprint: "1", tools: MANY.map((id) => toolNamed(id)) });
});
afterAll(closeWorkspaces);

/** A state in which the model has just searched, once for each list of phrases. */
function asking(searches: readonly unknown[], channels: Partial<GraphState> = {}): GraphState {
  const tool_calls = searches.map((action_descriptions, at) => ({
    id: `call${at}`,
    name: "search_tools",
    args: { action_descriptions },
    type: "tool_call" as const,
  }));
  const messages = [new AIMessage({ content: "", tool_calls })];
  return emptyState({ run: { id: "run", request: "Double 4" }, messages, ...channels });
}

async function answered(state: GraphState, context: Record<string, unknown> = {}) {
  const after = await GRAPH.invoke(state, { context: { ...TEST_LIBRARY, ...context } });
  return { ...after, said: saidIn(after.messages) };
}

function saidIn(messages: readonly BaseMessage[]): string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}

describe("a search in the middle of a run", () => {
  it("puts what it finds on offer with the others, and says what it found", async () => {
    const state = asking([["double a number"], ["greet a person"]], { toolIds: ["write_line"] });
    const { toolIds, said, searches } = await answered(state, { topK: 1 });
    expect(toolIds).toEqual(["write_line", "double_number", "greet"]);
    expect(said).toEqual(["double a number: double_number", "greet a person: greet"]);
    expect(searches).toMatchObject([
      { phrase: "double a number", call: "call0" },
      { phrase: "greet a person", call: "call1" },
    ]);
  });

  it("answers a phrase of this run from the record, without embedding it again", async () => {
    const hits = [{ tool: "halve_number", distance: 0.5 }];
    const searches = [{ phrase: "double a number", depth: 0, hits }];
    const state = asking([[" Double a number ", "DOUBLE A NUMBER"]], { searches });
    const after = await answered(state);
    expect(after.said[0]).toMatch(/^Double a number: halve_number\nDOUBLE A NUMBER: halve_number/);
    expect(after.toolIds).toEqual(["halve_number"]);
    expect(after.searches).toEqual(searches);
    expect(after.usage.embeddingTokens).toBe(0);
  });

  it("finds nothing beyond the tools that the run may use", async () => {
    const state = asking([["double a number"]], { toolIds: ["greet"] });
    const { toolIds, said } = await answered(state, { toolIds: ["greet", "write_line"] });
    expect(toolIds).not.toContain("double_number");
    expect(said[0]).not.toContain("double_number");
  });
});

const saidOf = ({ messages }: Pick<GraphState, "messages">) => messages.at(-1)?.text;

describe("a search for a name", () => {
  const settings = { ...TEST_LIBRARY, library: "grouped" };

  beforeAll(async () => {
    const { store } = openWorkspace();
    const library = await store.open({
      name: settings.library,
      embeddings: wordEmbeddings({ dimensions: 1024 }),
      embeddingModel: settings.embeddings,
      create: true,
    });
    const tools = ["show", "log"].map((name) => ({ ...toolNamed(`git.${name}`), name }));
    await library.sync({ origin: "grouped", fingerprint: "1", tools });
  });

  it("gives the tool, without a search by meaning", async () => {
    const after = await answered(asking([["git.log"]]), settings);
    expect(after.toolIds).toEqual(["git.log"]);
    expect(after.usage.embeddingTokens).toBe(0);
  });

  it("names the functions of a group", async () => {
    const after = await answered(asking([["git"]]), settings);
    expect(saidOf(after)).toContain("git has git.show, git.log");
    expect(after.toolIds).toEqual([]);
  });
});

describe("many searches", () => {
  const context = { library: "many", threshold: 0, topK: 1 };

  it("lead to no more tools than providers accept; tools that were never called are dropped first", async () => {
    const before = MANY.slice(0, MOST_OFFERED);
    const call = { id: "1", tool: "tool0", args: {}, ms: 1, cost: 0 };
    const wanted = MANY.slice(MOST_OFFERED, MOST_OFFERED + 5);
    const state = asking([wanted], { toolIds: before, calls: [call] });
    const { toolIds } = await answered(state, context);
    expect(toolIds).toEqual(["tool0", ...before.slice(6), ...wanted]);
  });
});
