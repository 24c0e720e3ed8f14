import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readBenchmarkFolder } from "../../../eval/benchmarks/benchmarkFolder.js";
import { openBenchmark } from "../../../eval/benchmarks/index.js";
import { tulipMathPlan } from "../../../eval/oracle/goldTask.js";
import { verifyPlan } from "../../../plans/verifyPlan.js";
import { fillArguments } from "../../../plans/fillArguments.js";
import type { Plan } from "../../../plans/plan.js";
import { callArguments } from "../../../tools/runtime/callArguments.js";
import { loadCatalogFunction } from "../../../tools/runtime/catalogFunctions.js";
import type { ToolDefinition } from "../../../tools/tool.js";

const SET = fileURLToPath(new URL("../../../../shared/bench/tulip_math/", import.meta.url));

const IDS = ["E", "M", "H"].flatMap((level) =>
  Array.from({ length: 20 }, (_, at) => `M.T.${level}.${String(at).padStart(3, "0")}`),
);

/** Right results that differ from the keys of the set: two wrong keys, one of interest only, and words. */
const OTHERWISE: Record<string, unknown> = {
  "M.T.E.014": 2433.31,
  "M.T.M.004": 56.27,
  "M.T.M.013": 7609,
  "M.T.H.002": false,
  "M.T.H.010": 5.75,
  "M.T.H.017": 800,
};

async function resultOf(plan: Plan, tools: ReadonlyMap<string, ToolDefinition>): Promise<unknown> {
  const outputs: Record<number, unknown> = {};
  for (const [step, { tool: id, args }] of plan.steps.entries()) {
    const record = tools.get(id);
    const filled = fillArguments({ step, args, outputs });
    if (!record || record.source.kind !== "function" || !("args" in filled)) return undefined;
    const { exportName } = record.source;
    const target = await loadCatalogFunction({ catalog: "math", exportName });
    outputs[step] = target(...callArguments({ record, args: filled.args }));
  }
  return outputs[plan.steps.length - 1];
}

/** Keys are rounded, some to whole numbers. */
function isNear(result: unknown, key: unknown): boolean {
  if (typeof result !== "number" || typeof key !== "number") return result === key;
  return Math.abs(result - key) <= Math.max(0.5, 1e-4 * Math.abs(key));
}

describe("the plans for the published mathematics set", () => {
  it("exist for each of its 60 tasks and no other, and pass the check unchanged", async () => {
    const { tools } = await openBenchmark("math");
    for (const id of IDS) {
      const plan = tulipMathPlan(id);
      const checked = plan && verifyPlan({ plan, tools });
      expect({ id, ...checked }).toMatchObject({ id, plan, issues: [], repairs: [] });
    }
    expect(tulipMathPlan("M.T.E.020")).toBeUndefined();
    expect(tulipMathPlan("constructor")).toBeUndefined();
  });

  it.skipIf(!existsSync(SET))(
    "come to the results of its keys with the set's own tools",
    async () => {
      const { tools } = await openBenchmark("math");
      const set = await readBenchmarkFolder(SET);
      const byId = new Map(tools.map((tool) => [tool.id, tool]));
      const own = new Set(set.tools.map(({ id }) => id));
      for (const { id, answers = [] } of set.tasks) {
        const plan = tulipMathPlan(id);
        expect({ id, own: plan?.steps.every(({ tool }) => own.has(tool)) }).toEqual({
          id,
          own: true,
        });
        const result = plan && (await resultOf(plan, byId));
        const keys = id in OTHERWISE ? [OTHERWISE[id]] : answers.map((key) => numberOf(key));
        expect({ id, result, right: keys.some((key) => isNear(result, key)) }).toMatchObject({
          id,
          right: true,
        });
      }
    },
  );
});

function numberOf(key: number | string): unknown {
  const number = Number(String(key).replaceAll(",", ""));
  return Number.isNaN(number) ? key : number;
}
