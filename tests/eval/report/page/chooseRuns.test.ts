import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Choice, chooseRuns } from "../../../../eval/report/page/client/chooseRuns.js";
import type { RunLine } from "../../../../eval/report/page/payload.js";
import { runList } from "../../../../eval/report/page/runData.js";
import { syntheticSummary } from "../fixture.js";

const list = runList(syntheticSummary({ graphs: ["base", "cot_tool"], tasksPerLevel: 11 }));
const everything: Choice = {
  text: "",
  graph: "",
  level: "",
  outcome: "",
  key: "task",
  descending: false,
};

describe("the list of runs", () => {
  it("finds every word in task, graph, request or answer, in any order and case", () => {
    const chosen = runsOf({ ...everything, text: "HARD.003 cot_TOOL sum" });
    expect(chosen.map(({ task, graph }) => [task, graph])).toEqual(
      Array.from({ length: 3 }, () => ["hard.003", "cot_tool"]),
    );
    expect(runsOf({ ...everything, text: "no such words" })).toEqual([]);
  });

  it("keeps the runs of a graph, a level and an outcome", () => {
    const chosen = runsOf({ ...everything, graph: "base", level: "easy", outcome: "right" });
    expect(chosen.length).toBeGreaterThan(0);
    for (const run of chosen)
      expect(run).toMatchObject({ graph: "base", level: "easy", verdict: 1 });
    expect(runsOf({ ...everything, outcome: "unsolved" }).length).toBeGreaterThan(0);
    expect(runsOf({ ...everything, outcome: "marked" }).every(({ marked }) => marked)).toBe(true);
  });

  it("counts a run that no score can judge neither as right nor as wrong", () => {
    const [run] = list.runs;
    const unjudged = { ...list, runs: [{ ...run, verdict: null } as RunLine] };
    expect(chooseRuns(unjudged, { ...everything, outcome: "right" })).toEqual([]);
    expect(chooseRuns(unjudged, { ...everything, outcome: "wrong" })).toEqual([]);
  });

  it("sorts numbers in names by their value", () => {
    const tasks = runsOf({ ...everything, level: "easy" }).map(({ task }) => task);
    expect(tasks.indexOf("easy.010")).toBeGreaterThan(tasks.indexOf("easy.009"));
  });

  it("sorts every column both ways, with missing figures last", () => {
    const keys = fc.constantFrom(...list.columns.map(({ key }) => key));
    const costs = fc.array(fc.option(fc.nat(5)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(keys, fc.boolean(), costs, (key, descending, values) => {
        const runs = values.map((usd, index) => ({ ...list.runs[index % 9], usd }) as RunLine);
        const order = chooseRuns({ ...list, runs }, { ...everything, key, descending });
        expect(order.toSorted((a, b) => a - b)).toEqual(runs.map((_, index) => index));
        const byCost = chooseRuns({ ...list, runs }, { ...everything, key: "usd", descending });
        const sorted = byCost.map((index) => runs[index]?.usd ?? null);
        const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
        expect(sorted).toEqual([
          ...(descending ? known.toReversed() : known),
          ...values.filter((value) => value === null),
        ]);
      }),
    );
  });

  it("leaves out columns in which all runs are the same", () => {
    const plain = runList(syntheticSummary({ levels: ["only"], repetitions: 1, dollars: false }));
    const keys = plain.columns.map(({ key }) => key);
    expect(keys).not.toContain("level");
    expect(keys).not.toContain("variant");
    expect(keys).not.toContain("run");
    expect(keys).not.toContain("usd");
  });
});

function runsOf(choice: Choice): RunLine[] {
  return chooseRuns(list, choice).flatMap((index) => list.runs[index] ?? []);
}
