import { isDeepStrictEqual } from "node:util";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { GRAPH_IDS } from "../../../graphs/index.js";
import { run, runJson, temporaryFolder, errorLine } from "../support.js";
import { benchmarkFolder, recordsIn } from "./support.js";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";

afterAll(closeWorkspaces);

const GRAPHS = "base,naive_tool,minimal_tulip,cot_tulip,tulip";

async function evaluate(...more: string[]) {
  const out = join(temporaryFolder(), "out");
  const { json, stderr, code } = await runJson(
    "eval",
    "run",
    "--models",
    "simulated:gold",
    "--out",
    out,
    ...more,
  );
  const { rows, standIns } = json as Summary;
  const means = (graph: string) => {
    const row = rows.find((each) => each.graph === graph && each.level === "all");
    const entries = Object.entries(row?.aggregates ?? {});
    return Object.fromEntries(entries.map(([id, { mean }]) => [id, mean]));
  };
  return { out, means, standIns, stderr, code };
}

describe("simulated:gold", () => {
  it("shows in the first table what the published designs cost and find", async () => {
    const { means, standIns } = await evaluate(
      "--benchmark",
      "math",
      "--graphs",
      GRAPHS,
      "--limit",
      "4",
    );
    const [base, naive, cot, tulip] = ["base", "naive_tool", "cot_tulip", "tulip"].map(means);
    expect(base).toMatchObject({ answerNumeric: 0, toolRecall: 0, irrelevance: 1 });
    // All tools in each prompt are right as often, and cost several times as much (Tulip Agent, table 1).
    expect(naive?.["answerNumeric"]).toBeGreaterThan(0.6);
    expect(cot?.["answerNumeric"]).toBeGreaterThan(0.6);
    expect((naive?.["totalTokens"] ?? 0) / (cot?.["totalTokens"] ?? 1)).toBeGreaterThan(3);
    expect((cot?.["totalTokens"] ?? 0) / (tulip?.["totalTokens"] ?? 1)).toBeGreaterThan(3);
    expect(cot?.["toolRecall"]).toBeGreaterThan(means("minimal_tulip")["toolRecall"] ?? 1);
    expect(standIns.join()).toMatch(/not a language model: it knows the gold calls/);
  });

  it("plays through every graph", async () => {
    const graphs = GRAPH_IDS.join();
    const { out } = await evaluate(
      "--benchmark",
      benchmarkFolder(),
      "--graphs",
      graphs,
      "--task",
      "sum",
    );
    const records = recordsIn(out);
    expect(records).toHaveLength(GRAPH_IDS.length);
    const odd = records.filter(({ graph, error, status, calls, plan }) => {
      // A tree search tries each branch before it votes; some graphs only plan.
      const [first] = calls.length > 0 ? calls : (plan?.steps ?? []);
      const isMade = isDeepStrictEqual([first?.tool, first?.args], ["add", { a: 17, b: 25 }]);
      return (
        error !== undefined || (graph !== "base" && !(isMade && /solved|planned/.test(status)))
      );
    });
    expect(odd.map(({ graph, status, error }) => [graph, status, error])).toEqual([]);
  });

  it("knows nothing of tasks that do not say which calls are needed", async () => {
    const out = join(temporaryFolder(), "out");
    const argv = ["--benchmark", benchmarkFolder(), "--models", "simulated:gold", "--out", out];
    expect(errorLine(await run("eval", "run", ...argv))).toMatch(
      /task both does not say any.*"calls"/,
    );
  });

  it("leaves a line of CSV for each run beside the report", async () => {
    const { out } = await evaluate(
      "--benchmark",
      benchmarkFolder(),
      "--graphs",
      "base,tulip",
      "--task",
      "sum",
    );
    await run("eval", "report", out);
    const [head = "", ...rows] = readFileSync(join(out, "runs.csv"), "utf8")
      .trimEnd()
      .split("\r\n");
    expect(head).toMatch(/^task,level,graph,variant,run,status,answerNumeric,.*,totalTokens/);
    expect(rows).toHaveLength(2);
    expect(rows.every((row) => row.split(",").length === head.split(",").length)).toBe(true);
  });
});
