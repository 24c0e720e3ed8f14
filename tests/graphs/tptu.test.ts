import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type GraphId, allGraphs } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { type Question, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import { demonstration } from "../memory/demonstrations/support.js";

const graphs = await allGraphs();

const REQUEST = "Double the number 21";
const ALIKE = "Double the number 4";

/** Length of the vectors of the test library's embeddings. */
const DIMENSIONS = 1024;

/** Rows of the published table, and what tells them apart. */
const ROWS: { id: GraphId; searches: boolean; shows: boolean }[] = [
  { id: "tptu_base", searches: false, shows: false },
  { id: "tptu_retriever", searches: true, shows: false },
  { id: "tptu_demos", searches: false, shows: true },
  { id: "tptu_full", searches: true, shows: true },
];

beforeAll(async () => {
  await importTestLibrary();
  const { library } = TEST_LIBRARY;
  const calls = [{ tool: "double_number", args: { value: 4 }, result: 8 }];
  await (
    await openWorkspace().experience()
  ).demonstrations.add([demonstration({ library, task: ALIKE, calls, answer: "8" })]);
});
afterAll(closeWorkspaces);

/** The first question to the model. */
async function firstQuestion(id: GraphId, settings: Record<string, unknown>) {
  const model = scriptedModel([{ stop: "It is 42." }]);
  const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
  await graphs[id].graph.invoke({ request: REQUEST }, { context });
  const [question] = model.questions;
  if (question?.stage !== "act") throw new Error(`not asked to act, but to ${question?.stage}`);
  return question;
}

function offered({ input }: Extract<Question, { stage: "act" }>): string[] {
  return input.tools.map(({ name }) => name);
}

async function library() {
  return await openWorkspace().library(TEST_LIBRARY);
}

describe.each(ROWS)("$id", ({ id, searches, shows }) => {
  it(`offers ${searches ? "what the search finds" : "all tools of the library"}`, async () => {
    const all = (await library()).list().map(({ name }) => name);
    const names = offered(await firstQuestion(id, { topK: 2, threshold: 0 }));
    expect(names).toContain("double_number");
    expect(names).toHaveLength(searches ? 2 : all.length);
  });

  it(`${shows ? "shows" : "does not show"} how a task that is alike was done`, async () => {
    const { input, messages } = await firstQuestion(id, { demoThreshold: 0.6 });
    expect((input.demonstrations ?? []).map(({ task }) => task)).toEqual(shows ? [ALIKE] : []);
    expect(messages.some(({ text }) => text.includes(ALIKE))).toBe(shows);
  });
});

describe("a retriever that was trained", () => {
  afterEach(async () => {
    await (await library()).removeAdapters();
  });

  it.each(["tptu_retriever", "tptu_full"] as const)(
    "decides what %s offers by meaning",
    async (id) => {
      // Turns every request round: what was farthest is nearest.
      const weights = Array.from({ length: DIMENSIONS }, (_, row) =>
        new Float64Array(DIMENSIONS).with(row, -1),
      );
      const settings = { topK: 1, threshold: 0, ranking: "meaning" };
      expect(offered(await firstQuestion(id, settings))).toEqual(["double_number"]);
      await (await library()).saveAdapter({ dimension: DIMENSIONS, weights, requests: 1 });
      const names = offered(await firstQuestion(id, settings));
      expect(names).toHaveLength(1);
      expect(names).not.toContain("double_number");
    },
  );
});
