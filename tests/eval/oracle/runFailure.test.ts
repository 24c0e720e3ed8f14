import { describe, expect, it } from "vitest";
import { failureOf } from "../../../eval/oracle/runFailure.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { recordOf } from "../runs/support.js";
import { SUM } from "./support.js";

type Call = RunRecord["calls"][number];

function callOf(id: string, call: Pick<Call, "tool" | "args" | "result">): Call {
  return { id, ms: 1, cost: 0, ...call };
}

const CALLS = [
  callOf("1", { tool: "area_square", args: { side: 3 }, result: 9 }),
  callOf("2", { tool: "areaCircle", args: { radius: 2 }, result: { area: 12.5 } }),
  callOf("3", { tool: "add", args: { a: 9, b: 12.5 }, result: 21.5 }),
];

const FOUND = ["area_square", "areaCircle", "add"];

function searchFor(tools: readonly string[]): RunRecord["searches"] {
  const hits = tools.map((tool) => ({ tool, distance: 0.5 }));
  return [{ phrase: "areas", depth: 0, subtask: "1", hits }] as RunRecord["searches"];
}

function failure(changes: Partial<RunRecord>, world?: { name: string }) {
  const run = recordOf("task", { calls: CALLS, searches: searchFor(FOUND), ...changes });
  return failureOf({ gold: SUM, run, benchmark: { argumentRule: "equal", world } });
}

describe("a run with the oracle", () => {
  it("succeeds with all gold calls and a solved end", () => {
    expect(failure({})).toBeUndefined();
    expect(failure({ calls: CALLS.toReversed() })).toBeUndefined();
  });

  it("fails if gold calls are missing, because a tool was not found or otherwise", () => {
    const calls = CALLS.slice(0, 2);
    expect(failure({ calls })).toBe("left out gold calls");
    expect(failure({ calls, searches: [] })).toBe("left out gold calls");
    const searches = searchFor(FOUND.slice(0, 2));
    expect(failure({ calls, searches })).toBe("needed a tool that no search found");
  });

  it("fails if a call failed or was wrong, or if the run ends as not solved", () => {
    const [first, ...others] = CALLS.map((call) => ({ ...call }));
    const broken = { ...first, result: undefined, error: "no" } as Call;
    expect(failure({ calls: [broken, ...others] })).toBe("left out gold calls");
    const other = { ...first, args: { side: 4 } } as Call;
    expect(failure({ calls: [other, ...others] })).toBe("left out gold calls");
    expect(failure({ status: "unsolved" })).toBe("said that it was not solved");
  });

  it("distinguishes limits and broken runs from wrong ones", () => {
    expect(failure({ status: "limit", calls: [] })).toBe("met a limit");
    expect(failure({ error: "no network", calls: [] })).toBe("broke off");
  });
});
