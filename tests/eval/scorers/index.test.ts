import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { SCORERS, scoreRun } from "../../../eval/scorers/index.js";
import type { Scorer } from "../../../eval/scorers/scorer.js";
import { NOTHING_USED } from "../../../state/state.js";
import { callOf, runOf, scoreOf, taskOf } from "./support.js";

const benchmark = { argumentRule: "equal" } as const;

/** A search that found these tools. */
function search(...tools: string[]): RunRecord["searches"][number] {
  return { phrase: "adds", depth: 0, hits: tools.map((tool) => ({ tool, distance: 0.5 })) };
}

describe("the scorers", () => {
  it("have unique ids, and a definition of one or a few sentences", () => {
    expect(new Set(SCORERS.map(({ id }) => id)).size).toBe(SCORERS.length);
    for (const { id, label, definition } of SCORERS) {
      expect(id).toMatch(/^[a-z][a-zA-Z0-9]+$/);
      expect(label).not.toBe("");
      expect(definition).toMatch(/\.$/);
    }
  });

  it("give shares between 0 and 1", () => {
    const run = runOf({ calls: [callOf("add", { a: 2 })], answer: "5" });
    const task = taskOf({ answers: [5], calls: [{ tool: "add", args: { a: 2, b: 3 } }] });
    const { scores, problems } = scoreRun({ task, run, benchmark });
    expect(problems).toStrictEqual({});
    for (const { id } of SCORERS.filter(({ unit }) => unit === "share")) {
      const score = scores[id] ?? 0;
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });
});

describe("what a run cost", () => {
  const usage = {
    ...NOTHING_USED,
    modelCalls: 3,
    inputTokens: 100,
    outputTokens: 20,
    embeddingTokens: 7,
    ms: 900,
  };
  const run = {
    usage,
    usd: 0.02,
    wallMs: 1200,
    calls: [callOf("add"), callOf("stop"), callOf("add", {}, "failed")],
  };

  it.each([
    ["inputTokens", 100],
    ["outputTokens", 20],
    ["embeddingTokens", 7],
    ["totalTokens", 120],
    ["modelCalls", 3],
    ["toolCalls", 2],
    ["usd", 0.02],
    ["wallMs", 1200],
    ["workMs", 900],
  ])("is read off as %s = %d", (id, value) => {
    expect(scoreOf(id, { run })).toBe(value);
  });

  it("has no dollars if a price is unknown", () => {
    expect(scoreOf("usd", { run: { usd: null } })).toBeUndefined();
  });
});

describe("what the searches of a run found", () => {
  it("is the share of needed tools among all hits", () => {
    const task = { tools: ["a", "b", "b", "c"] };
    const run = { searches: [search("a", "x"), search("b", "a")] };
    expect(scoreOf("searchRecall", { task, run })).toBe(2 / 3);
    expect(scoreOf("searchRecall", { task, run: { searches: [search()] } })).toBe(0);
  });

  it("does not apply without a search, or without a tool to find", () => {
    expect(scoreOf("searchRecall", {})).toBeUndefined();
    const run = { searches: [search("a")] };
    expect(scoreOf("searchRecall", { task: { tools: [] }, run })).toBeUndefined();
  });
});

describe("what a run did to a world", () => {
  const world = { name: "work" };
  const sprint = { id: "SPRINT-9", name: "Last", starts_on: "2025-06-02", ends_on: "2025-06-13" };
  const wanted = { sprints: { "SPRINT-9": sprint } };

  it("is right when it equals the right change", () => {
    const given = { task: { stateDiff: wanted }, run: { stateDiff: wanted }, world };
    expect(scoreOf("stateMatch", given)).toBe(1);
    expect(scoreOf("sideEffects", given)).toBe(0);
  });

  it("is wrong if something is missing, and a side effect if there is too much", () => {
    const none = { task: { stateDiff: wanted }, run: { stateDiff: {} }, world };
    expect([scoreOf("stateMatch", none), scoreOf("sideEffects", none)]).toStrictEqual([0, 0]);
    const another = { ...sprint, id: "SPRINT-10", name: "Another" };
    const more = { stateDiff: { sprints: { ...wanted.sprints, "SPRINT-10": another } } };
    const both = { task: { stateDiff: wanted }, run: more, world };
    expect([scoreOf("stateMatch", both), scoreOf("sideEffects", both)]).toStrictEqual([0, 1]);
  });

  it("is not judged without a world, a right change or a change that was made", () => {
    const changed = { stateDiff: wanted };
    expect(scoreOf("stateMatch", { task: changed, run: changed })).toBeUndefined();
    expect(scoreOf("stateMatch", { task: changed, world })).toBeUndefined();
    expect(scoreOf("sideEffects", { run: changed, world })).toBeUndefined();
  });

  it("marks the run if the world's changes cannot be compared", () => {
    const unknown = scoreRun({
      task: taskOf({ stateDiff: wanted }),
      run: runOf({ stateDiff: wanted }),
      benchmark: { ...benchmark, world: { name: "kitchen" } },
    });
    expect(unknown.problems["stateMatch"]).toContain('world "kitchen"');
    expect(Object.keys(unknown.problems)).toStrictEqual([
      "stateMatch",
      "sideEffects",
      "rightInAll",
      "falselySolved",
    ]);
  });
});

describe("scoring a run", () => {
  it("marks what it cannot judge with the reason, and continues with the rest", () => {
    const { calls: _calls, ...broken } = runOf({ answer: "5" });
    const { scores, problems } = scoreRun({
      task: taskOf({ answers: [5] }),
      run: broken as RunRecord,
      benchmark,
    });
    expect(scores["answerNumeric"]).toBe(1);
    expect(scores["toolRecall"]).toBeUndefined();
    expect(problems["toolRecall"]).toMatch(/undefined/);
    expect(Object.values(problems).join("")).not.toContain("\n");
  });

  it("never gives a figure that is not a finite number", () => {
    const scorer: Scorer = {
      id: "odd",
      label: "Odd",
      definition: "Not a number.",
      unit: "share",
      better: "none",
      score: () => Number.NaN,
    };
    const result = scoreRun({ task: taskOf(), run: runOf(), benchmark }, [scorer]);
    expect(result).toStrictEqual({
      scores: {},
      problems: { odd: "the score is NaN, not a finite number" },
    });
  });
});
