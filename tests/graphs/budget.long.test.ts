import { resolve } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { PastCall } from "../../memory/experience.js";
import type { GraphState } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

const graphs = await allGraphs();

const LIBRARY = { ...TEST_LIBRARY, library: "dictionaries", threshold: 0 };
const REQUEST = "Look the word tulip up in a dictionary";
const TOOLS = [
  "cheap_dictionary",
  "good_dictionary",
  "dear_dictionary",
  "closed_dictionary",
  "all_dictionaries",
];

const PLANNED: GraphId[] = ["react_replan", "tot_dfs_btp"];

/** The same tools, with a past in which the cheap and the closed dictionary helped once a request. */
const REMEMBERED = "remembered";

beforeAll(async () => {
  const { store, experience } = openWorkspace();
  const file = resolve("tests/fixtures/budget/tools.ts");
  for (const library of [LIBRARY.library, REMEMBERED]) {
    const context = { ...LIBRARY, library };
    await importTools({ store, settings: context, file, description: "Dictionaries" });
  }
  const past = ["closed_dictionary", "cheap_dictionary"].map((tool, at) => pastCall({ tool, at }));
  await (await experience()).add(past);
});
afterAll(closeWorkspaces);

/** One of each family: the others share its stages. */
const FAMILIES: GraphId[] = ["tulip", "cot_tulip", "auto_tulip", "dfs_tulip", ...PLANNED];

describe.each(FAMILIES)("a budget in %s", (id) => {
  it("is never exceeded, whatever the model calls, and in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom(1, 2.5, 6, 11, 20),
        async (seed, budget) => {
          const result = await run({ id, model: randomModel(seed), settings: { budget } });
          const charged = result.calls.reduce((sum, { cost }) => sum + cost, 0);
          expect(result.ledger?.spent).toBeCloseTo(charged, 9);
          expect(charged).toBeLessThanOrEqual(budget);
          expect(result.calls.filter(({ refused, cost }) => refused && cost > 0)).toEqual([]);
        },
      ),
      // Each family draws anew.
      { numRuns: 3 },
    );
  });
});

describe.each(FAMILIES)("a budget in %s", (id) => {
  it("too small for any tool ends the run with status budget and says what was needed", async () => {
    const model = scriptedModel((question) =>
      question.stage === "act" && !searchesFirst(question) ? failing(question) : talking(question),
    );
    const result = await run({ id, model: model.spec, settings: { budget: 0.5 } });
    expect(result.status).toBe("budget");
    expect(result.ledger?.refused).toEqual([{ what: expect.any(String) as string, price: 1 }]);
    expect(result.answer).toContain("The budget of 0.5 units did not allow");
    const offered = model.questions.filter(({ stage }) => stage === "act").at(-1)?.tools;
    expect(offered?.filter((name) => TOOLS.includes(name))).toEqual([]);
  });

  it("refuses parallel calls that it does not cover, in call order, and makes the others", async () => {
    const calls = ["cheap_dictionary", "dear_dictionary", "good_dictionary"].map((name) => ({
      name,
      args: { word: "tulip" },
    }));
    const model = scriptedModel((question) => {
      if (question.stage !== "act" || searchesFirst(question)) return talking(question);
      return question.input.observations.length === 0 && !question.input.search?.attempts.length
        ? { calls }
        : failing(question);
    });
    const result = await run({
      id,
      model: model.spec,
      settings: { budget: 4, toolIds: calls.map(({ name }) => name) },
    });
    const made = result.calls.filter(({ refused }) => !refused);
    expect(made.map(({ tool, cost }) => [tool, cost])).toEqual([
      ["cheap_dictionary", 1],
      ["good_dictionary", 2.5],
    ]);
    expect(result.ledger?.spent).toBe(3.5);
    expect(result.calls.find(({ refused }) => refused)?.error).toContain("budget exceeded");
    expect(result).toMatchObject({ status: "budget" });
  });
});

describe("the calls that a tool makes itself", () => {
  it("are paid from the same budget, and refused if it does not cover them", async () => {
    const model = scriptedModel((question) =>
      question.stage === "act" && question.input.observations.length === 0
        ? { calls: [{ name: "all_dictionaries", args: { word: "tulip" } }] }
        : question.stage === "act"
          ? failing(question)
          : talking(question),
    );
    const result = await run({ id: "naive_tool", model: model.spec, settings: { budget: 6 } });
    expect(result.calls).toMatchObject([{ tool: "all_dictionaries", cost: 4.5 }]);
    expect(result.calls[0]?.error).toContain("dear_dictionary costs more than the budget");
    expect(result.ledger?.spent).toBe(4.5);
  });
});

describe.each(PLANNED)("%s", (id) => {
  it("withdraws tools that never helped, and refuses calls of them", async () => {
    const model = scriptedModel((question) =>
      question.stage === "act" && question.input.observations.length < 2
        ? { calls: [{ name: "closed_dictionary", args: { word: "tulip" } }] }
        : question.stage === "act"
          ? failing(question)
          : talking(question),
    );
    const result = await run({ id, model: model.spec, settings: { budget: 20 } });
    const [first, second] = result.calls;
    expect(first).toMatchObject({ tool: "closed_dictionary", cost: 2, helpful: false });
    expect(second).toMatchObject({ tool: "closed_dictionary", refused: true, cost: 0 });
    expect(second?.error).toContain("has not been helpful");
    const later = model.questions.filter(({ stage }) => stage === "act").at(-1);
    expect(later?.tools).not.toContain("closed_dictionary");
  });
});

describe.each(PLANNED)("the plan of %s", (id) => {
  it("grants each tool its calls and refuses any more", async () => {
    const model = scriptedModel((question) => {
      if (question.stage !== "act") return talking(question);
      const { length } = question.input.observations;
      if (length >= 2) return { finish: "enough" };
      return { calls: [{ name: "cheap_dictionary", args: { word: ["tulip", "rose"][length] } }] };
    });
    const result = await run({
      id,
      model: model.spec,
      settings: {
        budget: 20,
        library: REMEMBERED,
        toolIds: ["cheap_dictionary", "dear_dictionary"],
      },
    });
    const [planned] = result.ledger?.plan ?? [];
    expect(planned).toMatchObject({ tool: "cheap_dictionary", price: 1 });
    const made = result.calls.filter(({ refused }) => !refused);
    expect(made).toMatchObject([{ tool: "cheap_dictionary", cost: 1 }]);
    const beyond = result.calls.find(({ refused }) => refused);
    expect(beyond?.error).toContain("the calls granted to it are used up");
  });
});

describe.each<GraphId>(["tot_dfs_btp", "tulip"])("a second search in %s", (id) => {
  it("divides the budget again, so that tools it finds can be called", async () => {
    const model = scriptedModel((question) => {
      if (question.stage !== "act") return planningNothing(question);
      const { tools, observations, search } = question.input;
      if (search?.attempts.length) return failing(question);
      if (observations.length > 0) return search ? { finish: "enough" } : { stop: "enough" };
      const isFound = tools.some(({ name }) => name === "cheap_dictionary");
      if (isFound) return { calls: [{ name: "cheap_dictionary", args: { word: "tulip" } }] };
      const args = { action_descriptions: ["cheap dictionary"] };
      return { calls: [{ name: "search_tools", args }] };
    });
    // The request is nearest to the dictionary that is always closed, which helped before as well.
    const request = "Look a word up in a dictionary that is always closed";
    const settings = { budget: 20, library: REMEMBERED, topK: 1, primingTopK: 1 };
    const result = await run({ id, model: model.spec, request, settings });
    expect(model.questions.find(({ stage }) => stage === "act")?.tools).toEqual(
      expect.arrayContaining(["closed_dictionary", "search_tools"]),
    );
    expect(result.calls).toMatchObject([{ tool: "cheap_dictionary", cost: 1 }]);
    const granted = result.ledger?.plan.map(({ tool }) => tool);
    expect(granted?.toSorted()).toEqual(["cheap_dictionary", "closed_dictionary"]);
  });
});

describe.each<GraphId>(["tot_dfs_prompt"])("%s", (id) => {
  it("tells prices and what is left, and enforces nothing", async () => {
    const model = scriptedModel((question) => {
      if (question.stage !== "act") return talking(question);
      if (question.input.observations.length >= 1) return { finish: "dear" };
      return { calls: [{ name: "dear_dictionary", args: { word: "tulip" } }] };
    });
    const result = await run({ id, model: model.spec, settings: { budget: 3 } });
    expect(result).toMatchObject({ status: "solved", ledger: { enforced: false } });
    expect(result.ledger?.spent).toBeGreaterThanOrEqual(7);
    const [first, ...others] = model.questions.filter(({ stage }) => stage === "act");
    expect(first?.input).toMatchObject({ budget: { left: 3, prices: { dear_dictionary: 7 } } });
    expect(others.at(-1)?.input).toMatchObject({ budget: { left: 0 } });
  });
});

describe.each<GraphId>(["tot_dfs"])("%s", (id) => {
  it("ignores budgets, as published", async () => {
    const model = scriptedModel((question) => {
      if (question.stage !== "act") return talking(question);
      if (question.input.observations.length >= 1) return { finish: "dear" };
      return { calls: [{ name: "dear_dictionary", args: { word: "tulip" } }] };
    });
    const result = await run({ id, model: model.spec, settings: { budget: 3 } });
    expect(result).toMatchObject({ status: "solved", ledger: null });
  });
});

describe("react_replan", () => {
  it("divides what is left again after each step, using what it has seen", async () => {
    const model = scriptedModel((question) => {
      if (question.stage !== "act") return talking(question);
      if (question.input.observations.length >= 2) return { finish: "enough" };
      const name =
        question.input.observations.length === 0 ? "closed_dictionary" : "cheap_dictionary";
      return { calls: [{ name, args: { word: "tulip" } }] };
    });
    const toolIds = ["closed_dictionary", "cheap_dictionary"];
    const settings = { budget: 3, library: REMEMBERED, toolIds };
    const result = await run({ id: "react_replan", model: model.spec, settings });
    expect(result.calls.map(({ tool, cost }) => [tool, cost])).toEqual([
      ["closed_dictionary", 2],
      ["cheap_dictionary", 1],
    ]);
    expect(result.ledger).toMatchObject({ spent: 3, planned: { cost: 3 } });
    const closed = result.ledger?.plan.find(({ tool }) => tool === "closed_dictionary");
    expect(closed?.quota).toBe(0);
  });
});

describe("react_knapsack", () => {
  it("grants one call each of tools that were never called, as far as their prices fit", async () => {
    const model = scriptedModel((question) =>
      question.stage === "act" ? { finish: "enough" } : talking(question),
    );
    const settings = { budget: 6, toolIds: TOOLS };
    const { ledger } = await run({ id: "react_knapsack", model: model.spec, settings });
    expect(ledger?.quotas).toEqual({
      cheap_dictionary: 1,
      good_dictionary: 0,
      dear_dictionary: 0,
      closed_dictionary: 1,
      all_dictionaries: 1,
    });
    expect(ledger?.planned).toEqual({ calls: 3, cost: 4 });
    const plain = await run({ id: "react_btp", model: model.spec, settings });
    expect(plain.ledger?.quotas).toBeNull();
  });
});

function pastCall({ tool, at }: { tool: string; at: number }): PastCall {
  return {
    id: `past ${tool}`,
    library: REMEMBERED,
    query: REQUEST,
    tool,
    args: { word: "rose" },
    result: "found",
    failed: false,
    helpful: true,
    judgedBy: "given",
    cost: 1,
    ms: 1,
    at,
  };
}

/** A model that calls what it likes, known or not, one or several at once, and ends when it likes. */
function randomModel(seed: number): string {
  let state = seed + 1;
  const chance = () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_507) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
  return scriptedModel((question) => {
    if (question.stage !== "act" || searchesFirst(question)) return talking(question);
    const luck = chance();
    if (luck < 0.1) return question.input.search ? { finish: "Done." } : { stop: "Done." };
    if (luck < 0.2) return failing(question);
    const count = 1 + Math.floor(3 * chance());
    const calls = Array.from({ length: count }, () => ({
      name: [...TOOLS, "no_dictionary"][Math.floor(chance() * (TOOLS.length + 1))] ?? "",
      args: chance() < 0.1 ? { wort: "tulip" } : { word: `tulip ${Math.floor(9 * chance())}` },
    }));
    return { calls };
  }).spec;
}

/** A model that keeps the library has no tools before its first search. */
function searchesFirst(question: Question): boolean {
  if (question.stage !== "act" || !question.input.keepsLibrary) return false;
  return question.input.searched?.length === 0;
}

function talking(question: Question): Reply {
  if (searchesFirst(question)) {
    const args = { action_descriptions: ["look a word up in a dictionary"] };
    return { calls: [{ name: "search_tools", args }] };
  }
  if (question.stage === "paraphrase") return { text: JSON.stringify({ task: REQUEST }) };
  if (question.stage === "aggregate")
    return { text: JSON.stringify({ result: "", solved: false }) };
  if (question.stage === "writeTool") return { text: "I cannot." };
  if (question.stage === "decompose") return { subtasks: [REQUEST] };
  if (question.stage === "phraseSearch")
    return { searches: [{ subtask: 1, phrase: "look a word up in a dictionary" }] };
  if (question.stage === "summarize")
    return { text: JSON.stringify({ answer: "What was found." }) };
  return { text: JSON.stringify({ better: "A", helpful: true }) };
}

/** As `talking`, by a model that plans nothing ahead. */
function planningNothing(question: Question): Reply {
  if (question.stage === "writeProgram") return { text: "return ``;" };
  if (question.stage !== "compose") return talking(question);
  return { text: JSON.stringify({ steps: [], answer: "", lacking: [] }) };
}

function failing({ input }: Extract<Question, { stage: "act" }>): Reply {
  return input.search ? { giveUp: "Not found." } : { stop: "Not found.", solved: false };
}

async function run(options: {
  id: GraphId;
  model: string;
  request?: string;
  settings: Record<string, unknown>;
}): Promise<GraphState> {
  const { id, model, request = REQUEST, settings } = options;
  const context = { ...LIBRARY, model, ...settings };
  return (await graphs[id].graph.invoke({ request }, { context })) as GraphState;
}
