import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../home/workspace.js";
import type { GraphState } from "../../state/state.js";
import { scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../fakes/testLibrary.js";
import {
  DOUBLE,
  HALVE,
  REQUEST,
  expectValidHistory,
  run,
  scripted,
  solving,
  tasksOf,
  thread,
} from "./taskTreeRuns.js";

/** Tests that run the graph again and again take seconds, and more on a machine that has other work. */
const MANY_RUNS_MS = 120_000;

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

describe("the end of a run", () => {
  it("is status budget if the budget was the reason", async () => {
    const { state } = await run({
      plans: { [REQUEST]: [[DOUBLE, HALVE]] },
      settings: { budget: 1 },
      act: (input) =>
        input.tools.length === 0 ? { stop: "Nothing is left.", solved: false } : solving(input),
    });
    expect(state.status).toBe("budget");
    expect(state.calls.filter(({ refused }) => !refused)).toHaveLength(1);
    expect(state.answer).toContain("The budget of 1 unit did not allow");
  });

  it.each(["decompose", "paraphrase", "aggregate"] as const)(
    "is none if three replies at %s are unusable: the run does without",
    async (stage) => {
      const { state, questions } = await run({
        plans: { [REQUEST]: [["zzz", HALVE]] },
        paraphrases: { zzz: DOUBLE },
        instead: (question) => (question.stage === stage ? { text: "Hm." } : undefined),
      });
      expect(state.status).toBe("solved");
      const asked = questions.filter((question) => question.stage === stage);
      expect(asked.length % 3).toBe(0);
      expect(asked[1]?.messages.at(-1)?.text).toMatch(/^Your last reply was:\n"""\nHm\.\n/);
    },
  );
});

describe("a thread", () => {
  it(
    "can be continued from every checkpoint, with the same result and the model calls that were left",
    async () => {
      const script = scripted({
        plans: {
          [REQUEST]: [
            ["double the bad number", HALVE],
            ["zzz", HALVE],
          ],
        },
        paraphrases: { zzz: DOUBLE },
      });
      const model = scriptedModel(script);
      const { graph, config } = thread();
      const context = { ...TEST_LIBRARY, model: model.spec };
      await graph.invoke({ request: REQUEST }, { ...config, context });
      const total = model.questions.length;
      const history = [];
      for await (const snapshot of graph.getStateHistory(config)) history.push(snapshot);
      const inside = history.filter(({ next }) => next.length > 0 && next[0] !== "__start__");
      expect(inside.length).toBeGreaterThan(20);
      // Every third shows it.
      for (const { config: from, values } of inside.filter((_, at) => at % 3 === 0)) {
        const before = model.questions.length;
        const state = (await graph.invoke(null, { ...from, context })) as GraphState;
        expect(state).toMatchObject({ status: "solved", answer: "42 and 5" });
        expect(model.questions.length - before).toBe(
          total - (values as GraphState).usage.modelCalls,
        );
        expect(state.calls.flatMap(({ result }) => result ?? [])).toEqual([42, 5]);
        expectValidHistory(state.messages);
      }
    },
    MANY_RUNS_MS,
  );

  it("begins its next request with its own tree", async () => {
    const model = scriptedModel(scripted({ plans: { [REQUEST]: [[DOUBLE, HALVE]] } }));
    const { graph, config } = thread();
    const context = { ...TEST_LIBRARY, model: model.spec };
    await graph.invoke({ request: REQUEST }, { ...config, context });
    await graph.invoke({ request: DOUBLE }, { ...config, context });
    const state = (await graph.getState(config)).values as GraphState;
    expect(tasksOf(state)).toMatchObject([{ id: "1", text: DOUBLE, status: "done" }]);
    expect(state.messages.map(({ text }) => text)).toEqual([REQUEST, "42 and 5", DOUBLE, "42"]);
    expect(model.questions.at(-1)?.input.earlierTurns).toEqual([
      { role: "user", text: REQUEST },
      { role: "assistant", text: "42 and 5" },
    ]);
  });
});
