import { END, START, StateGraph } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clausesOf } from "../../../tools/library/clauses.js";
import { search } from "../../../nodes/finding/search.js";
import { closeWorkspaces } from "../../../workspace/workspace.js";
import { contextForm } from "../../../state/context.js";
import { openLedger } from "../../../state/ledger.js";
import { State } from "../../../state/state.js";
import { estimateTokens } from "../../../tools/library/embedding.js";
import { emptyState } from "../../fakes/emptyState.js";
import { importTestLibrary, TEST_LIBRARY } from "../../fakes/testLibrary.js";

const GRAPH = new StateGraph({ state: State, context: contextForm })
  .addNode("search", search({ by: "planning" }))
  .addEdge(START, "search")
  .addEdge("search", END)
  .compile();

const { threshold, ...WITHOUT_THRESHOLD } = TEST_LIBRARY;
const REQUEST = "double the number 4, greet the person Ada, then write a line into the log";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

async function searched(request: string, context: Record<string, unknown> = {}) {
  const state = emptyState({ run: { id: "run", request } });
  return await GRAPH.invoke(state, { context: { ...WITHOUT_THRESHOLD, ...context } });
}

describe("a search by clauses", () => {
  it("brings the nearest tool of each part, though fewer tools are wanted than parts would find", async () => {
    const { toolIds, status } = await searched(REQUEST, { primingTopK: 3 });
    expect(toolIds.toSorted()).toEqual(["double_number", "greet", "write_line"]);
    expect(status).toBe("running");
  });

  it("records what the request and each part have found", async () => {
    const { searches, toolIds } = await searched(REQUEST, { primingTopK: 2 });
    expect(searches.map(({ phrase, depth }) => ({ phrase, depth }))).toEqual(
      [REQUEST, ...clausesOf(REQUEST)].map((phrase) => ({ phrase, depth: 0 })),
    );
    for (const { hits } of searches) expect(hits).toHaveLength(2);
    const found = new Set(searches.flatMap(({ hits }) => hits.map(({ tool }) => tool)));
    expect(toolIds).toHaveLength(2);
    expect(toolIds.filter((id) => !found.has(id))).toEqual([]);
  });

  it("counts what embedding the request and its parts has used", async () => {
    await searched(REQUEST);
    const { usage } = await searched(REQUEST);
    expect(usage.embeddingTokens).toBe(estimateTokens([REQUEST, ...clausesOf(REQUEST)]));
    expect(usage.modelCalls).toBe(0);
  });

  it("stays among the tools that the run may use", async () => {
    const context = { toolIds: ["greet", "halve_number"] };
    const { toolIds } = await searched(REQUEST, context);
    expect(toolIds.toSorted()).toEqual(context.toolIds);
  });

  it("has no threshold but one that was set, and says nothing of parts that found nothing then", async () => {
    const request = "double the number 4, and whistle some merry tune";
    const far = await searched(request);
    expect(far.searches).toHaveLength(3);
    const near = await searched(request, { threshold });
    expect(near.searches.map(({ phrase }) => phrase)).toEqual([request, "double the number 4"]);
    expect(near.toolIds).toContain("double_number");
  });

  it("ends the run when nothing at all is found, with the request's search on record", async () => {
    const request = "whistle some merry tune, knit a woollen scarf";
    const { status, answer, searches } = await searched(request, { threshold: 0.1 });
    expect({ status, answer }).toEqual({
      status: "unsolved",
      answer: `No tool was found for: ${request}`,
    });
    const [search, ...others] = searches ?? [];
    expect(others).toEqual([]);
    expect(search).toMatchObject({ phrase: request, depth: 0, hits: [], nearest: { needed: 0.1 } });
    expect(search?.nearest?.distance).toBeGreaterThan(0.1);
  });

  it("makes one search of a request that has one part", async () => {
    const { searches } = await searched("double the number 4");
    expect(searches.map(({ phrase }) => phrase)).toEqual(["double the number 4"]);
  });

  it("is refused by a budget that pays for embedding the request and not its parts, too", async () => {
    const price = (Buffer.byteLength(REQUEST) * 0.02) / 1_000_000;
    const ledger = openLedger({ amount: price * 1.5, unit: "usd" }, { enforced: true });
    const state = { ...emptyState({ run: { id: "run", request: REQUEST } }), ledger };
    const context = { ...TEST_LIBRARY, embeddings: "openai:text-embedding-3-small" };
    expect((await GRAPH.invoke(state, { context })).status).toBe("budget");
  });
});
