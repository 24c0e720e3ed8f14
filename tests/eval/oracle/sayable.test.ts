import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { sayAll, saySolution } from "../../../eval/oracle/sayable.js";
import { type Solution, goldSolutions } from "../../../eval/oracle/goldSolutions.js";
import { openSubject } from "../../../eval/oracle/subject.js";
import type { PlanStep } from "../../../plans/plan.js";
import type { ToolRuntime } from "../../../tools/runtime/runtime.js";
import { toolNamed } from "./support.js";

const BENCH = fileURLToPath(new URL("../../../../shared/bench/", import.meta.url));

/** Only every n-th solution of a large set is tested. */
const STRIDES = { workbench: 8, nestful_v1: 1, bfcl_multiturn: 12 };

async function verdictsOf(set: string, stride = 1) {
  const subject = await openSubject(set);
  const all = await goldSolutions(subject);
  const solutions = all.filter((_solution, at) => at % stride === 0);
  return { all, verdicts: await sayAll({ subject, solutions }) };
}

describe("gold solutions as programs", () => {
  it("can be expressed for all tasks of `work`, with exactly the calls of its outcomes", async () => {
    const { all, verdicts } = await verdictsOf("work");
    expect(all.length).toBeGreaterThanOrEqual(80);
    expect(all.filter(({ calls = [] }) => calls.length > 1).length).toBeGreaterThan(60);
    expect(verdicts.filter(({ stage }) => stage !== "said")).toEqual([]);
  }, 300_000);

  for (const [set, stride] of Object.entries(STRIDES)) {
    const folder = join(BENCH, set);
    it.skipIf(!existsSync(folder))(
      `can be said for all of ${set} that its tools allow (skipped where ../shared/bench is absent)`,
      async () => {
        const { verdicts } = await verdictsOf(folder, stride);
        const sound = verdicts.filter(({ fault }) => fault === undefined);
        expect(sound.length).toBeGreaterThan(50);
        expect(sound.filter(({ stage }) => stage !== "said")).toEqual([]);
        // The language itself refuses none, whatever the tools do.
        expect(verdicts.filter(({ stage }) => stage === "read")).toEqual([]);
      },
      300_000,
    );
  }
});

describe("a solution", () => {
  const save = toolNamed("save", { effects: "write" });
  const parameters = {
    type: "object" as const,
    properties: { name: { type: "string" } },
    required: ["name"],
  };
  const find = { ...toolNamed("find"), parameters };

  function solution(steps: PlanStep[], more: Partial<Solution> = {}): Solution {
    const tools = new Map([save, find].map((tool) => [tool.id, tool]));
    return { id: "one", plan: { steps, answer: "", lacking: [] }, tools, ...more };
  }

  /** Returns the arguments of each call. */
  const runtime: Pick<ToolRuntime, "runCalls"> = {
    runCalls: async ({ calls }) =>
      calls.map(({ id, tool, args }) => ({
        id,
        tool: tool.id,
        args,
        status: "done",
        result: args,
        resultText: JSON.stringify(args),
        ms: 0,
        cost: 0,
        replayed: false,
      })),
  };

  const two: PlanStep[] = [
    { tool: "find", args: { name: "x" } },
    { tool: "save", args: { text: { $text: ["Found ", { $prev: 0, path: ["name"] }] } } },
  ];

  async function stageOf(steps: PlanStep[], calls: Solution["calls"]) {
    const { stage } = await saySolution({ solution: solution(steps, { calls }), runtime });
    return stage;
  }

  it("is expressed if its program makes its calls", async () => {
    const calls = [
      { tool: "find", args: { name: "x" } },
      { tool: "save", args: { text: "Found x" } },
    ];
    expect(await saySolution({ solution: solution(two, { calls }), runtime })).toEqual({
      id: "one",
      stage: "said",
    });
  });

  it("is not expressed if its program makes other calls, or writes in another order", async () => {
    const writes = ["a", "b"].map((text) => ({ tool: "save", args: { text } }));
    expect(await stageOf(writes, writes.toReversed())).toBe("calls");
    expect(await stageOf(writes, writes.slice(0, 1))).toBe("calls");
    const reads = ["a", "b"].map((name) => ({ tool: "find", args: { name } }));
    expect(await stageOf(reads, reads.toReversed())).toBe("said");
  });

  it("is refused by the type check if its own tool does not accept the call", async () => {
    const steps = [{ tool: "find", args: { nam: "x" } }];
    const verdict = await saySolution({ solution: solution(steps), runtime });
    expect(verdict).toMatchObject({ stage: "types" });
    expect(verdict.reason).toContain("nam");
  });

  it("that does nothing is a program that calls nothing", async () => {
    const answer = "There is nothing to be done.";
    const idle = { ...solution([]), plan: { steps: [], answer, lacking: [] } };
    expect(await saySolution({ solution: idle, runtime })).toMatchObject({ stage: "said" });
  });
});
