import { setTimeout as sleep } from "node:timers/promises";
import { Embeddings } from "@langchain/core/embeddings";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  LONGEST_MESSAGE,
  LONGEST_PHRASE,
  LONGEST_REQUEST,
  MOST_CALLS,
  MOST_PHRASES,
  MOST_STEPS,
} from "../../common/bounds.js";
import { counted } from "../../common/text.js";
import { compileGraph } from "../../graphs/compile.js";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { registerEmbeddingsProvider } from "../../models/providers.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const REQUEST = "double the number 4";
const DONE: Reply = { stop: "It is done." };
const SEARCH: Reply = { searches: [{ subtask: 1, phrase: "double a number" }] };

describe("a request beyond the bound", () => {
  it("is refused before anything else", async () => {
    const id = "tulip";
    const model = scriptedModel([DONE]);
    const context = { ...TEST_LIBRARY, model: model.spec };
    const request = "a".repeat(5_400_000);
    const refusal = new RegExp(`5,400,000 characters.*${counted(LONGEST_REQUEST)}`);
    await expect(graphs[id].graph.invoke({ request }, { context })).rejects.toThrow(refusal);
    const messages = [new HumanMessage(request)];
    await expect(graphs[id].graph.invoke({ messages }, { context })).rejects.toThrow(refusal);
    expect(model.questions).toEqual([]);
  });
});

describe("too many calls in one reply", () => {
  const calls = { calls: many(10_000, (at) => ({ name: "double_number", args: { value: at } })) };
  const bound = `10,000 calls, and at most ${MOST_CALLS}`;

  it.each<[GraphId, Reply]>([
    ["minimal_tulip", DONE],
    ["dfsdt", { finish: "It is done." }],
  ])("%s makes none of them, and says how many there may be", async (id, end) => {
    const { result, questions } = await run(id, [calls, end, end]);
    expect(heard(questions[1])).toContain(bound);
    expect(result).toMatchObject({ calls: [], status: "unsolved" });
  });
});

describe("a plan beyond the bounds", () => {
  // Longer replies count as cut off, and are not read at all.
  const settings = { maxOutputTokens: 100_000 };
  const steps = many(10_000, () => ({ tool: "double_number", args: { value: 1 } }));

  it("of steps is asked for again, in data", async () => {
    const short = many(3000, () => ({ tool: "greet", args: {} }));
    const replies = [{ text: JSON.stringify({ steps: short }) }, { text: GOOD_PLAN }];
    const { result, questions } = await run("iit_main", replies, { settings });
    expect(heard(questions[1])).toContain(`3,000 steps, and a plan has at most ${MOST_STEPS}`);
    expect(result.status).toBe("planned");
  });

  it.each<GraphId>(["iit_main", "iit_code"])("of characters is asked for again: %s", async (id) => {
    const code = steps.map(() => "double_number({ value: 1 });").join("\n");
    const text = id === "iit_code" ? code : JSON.stringify({ steps, answer: "" });
    const { result, questions } = await run(id, [{ text }], { settings });
    expect(heard(questions[1])).toContain(`at most ${counted(LONGEST_MESSAGE)} are read`);
    expect(result.status).toBe("error");
  });
});

describe("phrases and subtasks beyond the bounds", () => {
  it.each<[string, { subtask: number; phrase: string }[], string]>([
    [
      "too many",
      many(5000, (at) => ({ subtask: 1, phrase: `p ${at}` })),
      `${MOST_PHRASES} phrases`,
    ],
    ["too long", [{ subtask: 1, phrase: "a".repeat(100_000) }], `${counted(LONGEST_PHRASE)} char`],
  ])("%s for a search are asked for again", async (_, searches, said) => {
    const { result, questions } = await run("naive_tulip", [{ searches }, SEARCH, DONE]);
    expect(heard(questions[1])).toContain(said);
    expect(result.status).toBe("unsolved");
    expect(result.searches.map(({ phrase }) => phrase)).toEqual(["double a number"]);
  });
});

describe("a search for which there is no time", () => {
  it("ends with the limit of the run, before all phrases are embedded", async () => {
    const given: string[] = [];
    registerEmbeddingsProvider("slow", {
      makeEmbeddings: async () => new SlowEmbeddings(given),
    });
    const searches = many(MOST_PHRASES, (at) => ({ subtask: 1, phrase: `phrase ${at}` }));
    const settings = { embeddings: "slow:words", maxSeconds: 1 };
    const { result } = await run("naive_tulip", [{ searches }, DONE], { settings });
    expect(result.status).toBe("limit");
    expect(given).toContain("phrase 0");
    expect(given).not.toContain(`phrase ${MOST_PHRASES - 1}`);
  });
});

describe("a request that the offline planner cannot read", () => {
  it("is not said to be solved, and the bound is named", async () => {
    const request = `Add 1 and 2. ${"Add 3 and 4. ".repeat(400)}`;
    const settings = { model: OFFLINE_MODEL };
    const { result } = await run("minimal_tulip", [], { request, settings });
    expect(result.status).toBe("unsolved");
    expect(result.answer).toMatch(/at most 4,000 characters, and this one has 5,21\d/);
  });
});

const GOOD_PLAN = JSON.stringify({
  steps: [{ tool: "double_number", args: { value: 4 } }],
});

function many<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

async function run(
  id: GraphId,
  replies: Reply[],
  options: { request?: string; settings?: Record<string, unknown> } = {},
) {
  const { settings = {}, request = REQUEST } = options;
  const model = scriptedModel(replies);
  // Whatever is asked for, `double_number` is found.
  const context = { ...TEST_LIBRARY, threshold: 0, model: model.spec, ...settings };
  const { wiring } = graphs[id];
  const thread = { configurable: { thread_id: id } };
  const graph = compileGraph(wiring, { name: id, checkpointer: new MemorySaver() });
  await graph.invoke({ request }, { context, ...thread });
  const { values } = await graph.getState(thread);
  return { result: values as GraphState, questions: model.questions };
}

/** Embeds by words, and takes longer than a run of a second has for many texts. */
class SlowEmbeddings extends Embeddings {
  readonly #words = wordEmbeddings({ dimensions: 1024 });

  constructor(readonly given: string[]) {
    super({});
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    this.given.push(...texts);
    if (texts.includes("phrase 0")) await sleep(1100);
    return this.#words.embedDocuments(texts);
  }

  embedQuery(text: string): Promise<number[]> {
    return this.#words.embedQuery(text);
  }
}

/** All that a model was told with a question. */
function heard(question?: Question): string {
  const messages = question?.messages ?? [];
  return messages
    .map((message) =>
      AIMessage.isInstance(message)
        ? `${message.text} ${JSON.stringify(message.tool_calls)}`
        : message.text,
    )
    .join("\n");
}
