import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";
import { DIGIT_SUM } from "../../fakes/drafts.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TASK_LINES, TOOL_LINES, benchmarkFolder, recordsIn } from "./support.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

/** Options of a small experiment whose tools are found by counted words. */
function options(benchmark: string, out: string, ...more: string[]): string[] {
  const run = ["eval", "run", "--benchmark", benchmark, "--out", out];
  return run.concat("--graphs", "minimal_tulip", more);
}

/** Figures of one level of the only graph. */
function figures(json: unknown, level: string) {
  const row = (json as Summary).rows.find((each) => each.level === level);
  return Object.fromEntries(
    Object.entries(row?.aggregates ?? {}).map(([id, { mean }]) => [id, mean]),
  );
}

describe("eval run", () => {
  it("runs every task, calls the functions of the catalog, and judges answers and calls", async () => {
    const out = join(temporaryFolder(), "out");
    const { code, json } = await runJson(...options(benchmarkFolder(), out));
    expect(code).toBe(0);
    expect(figures(json, "all")).toMatchObject({ answerNumeric: 1, toolF1: 1, solved: 1 });
    // Concurrent runs are recorded as they end.
    const made = recordsIn(out).map(
      ({ task, status, calls }) => `${task} ${status} ${calls.length}`,
    );
    expect(made.toSorted()).toEqual(["both solved 2", "product solved 1", "sum solved 1"]);
  });

  it.each([
    { given: "library=math", option: "--library" },
    { given: 'toolIds=["add"]', option: "--others" },
    { given: "seed=7,8", option: "--seed" },
  ])("refuses a setting that it decides itself: $given", async ({ given, option }) => {
    const out = join(temporaryFolder(), "out");
    const line = errorLine(await run(...options(benchmarkFolder(), out, "--set", given)));
    expect(line).toContain(given.split("=")[0]);
    expect(line).toContain(option);
    expect(existsSync(out)).toBe(false);
  });

  it("keeps what one run makes from the others", async () => {
    const model = scriptedModel(({ stage, messages }) => {
      if (stage === "writeTool") return { text: DIGIT_SUM };
      const answered = messages.filter(({ type }) => type === "tool").length;
      if (answered === 1) return { calls: [{ name: "digit_sum", args: { value: 123 } }] };
      return answered > 1
        ? { stop: "It is 6." }
        : { calls: [{ name: "create_tool", args: { task_description: "Sum of digits" } }] };
    });
    const out = join(temporaryFolder(), "out");
    const tasks = ["--task", "sum,product", "--graphs", "auto_tulip", "--concurrency", "1"];
    await run(...options(benchmarkFolder(), out, ...tasks, "--models", model.spec));
    const records = recordsIn(out);
    expect(records).toHaveLength(2);
    for (const { calls } of records)
      expect(calls).toMatchObject([{ tool: "digit_sum", result: 6 }]);
  });

  it("offers the tools of the benchmark alone, though the catalog has more", async () => {
    const out = join(temporaryFolder(), "out");
    await run(...options(benchmarkFolder(), out, "--task", "sum"));
    const hits = recordsIn(out)[0]?.searches[0]?.hits.map(({ tool }) => tool);
    expect(hits?.toSorted()).toEqual(TOOL_LINES.map(({ id }) => id).toSorted());
  });

  it("writes everything needed to audit a run into its line", async () => {
    const out = join(temporaryFolder(), "out");
    await run(...options(benchmarkFolder(), out, "--task", "sum", "--seed", "5"));
    const [record] = recordsIn(out);
    expect(record).toMatchObject({
      id: "sum | minimal_tulip | 1",
      task: "sum",
      graph: "minimal_tulip",
      run: 1,
      attempt: 1,
      model: "offline:planner",
      embeddings: "words:hashed",
      seed: 5,
      settings: { seed: 5, maxDepth: 2, topK: 10, library: "small" },
      answer: expect.stringContaining("42"),
      calls: [{ tool: "add", args: { a: 17, b: 25 }, result: 42 }],
      // Nobody knows what these embeddings cost.
      usd: null,
      threadId: "sum | minimal_tulip | 1",
      resumed: false,
    });
    expect(record?.stages.map(({ stage, modelCalls }) => `${stage} ${modelCalls}`)).toEqual([
      "intake 0",
      "search 0",
      "act 1",
      "execute 0",
      "act 1",
      "respond 0",
    ]);
  });

  it("runs a grid of settings, each variant with a row of its own", async () => {
    const out = join(temporaryFolder(), "out");
    const { json } = await runJson(...options(benchmarkFolder(), out, "--set", "topK=1,3"));
    const variants = (json as Summary).rows.map(({ variant }) => variant);
    expect(new Set(variants)).toEqual(new Set(["topK=1", "topK=3"]));
    expect(recordsIn(out)).toHaveLength(TASK_LINES.length * 2);
  });

  it("takes what is named twice once", async () => {
    const out = join(temporaryFolder(), "out");
    const twice = ["--graphs", "base,base", "--set", "topK=3,3", "--task", "sum,sum"];
    await run(...options(benchmarkFolder(), out, ...twice));
    expect(recordsIn(out).map(({ id }) => id)).toEqual(["sum | base | 1"]);
  });

  it("takes the model that solve would take, and says which", async () => {
    const { spec } = scriptedModel([{ stop: "42" }]);
    vi.stubEnv("TULIPGRAPH_MODEL", spec);
    const out = join(temporaryFolder(), "out");
    const { stderr } = await run(...options(benchmarkFolder(), out, "--task", "sum"));
    expect(stderr).toContain(`model ${spec}, because TULIPGRAPH_MODEL names it`);
    expect(recordsIn(out).map(({ model }) => model)).toEqual([spec]);
  });

  it("records the calls of tools that nobody has functions for", async () => {
    const out = join(temporaryFolder(), "out");
    const { spec } = scriptedModel([
      { calls: [{ name: "book_flight", args: { a: 1 } }] },
      { stop: "Booked.", solved: true },
    ]);
    const task = { id: "trip", query: "Book a flight", tools: ["book_flight"] };
    const gold = { ...task, calls: [{ tool: "book_flight", args: { a: 1 } }] };
    const benchmark = benchmarkFolder({ tasks: [gold] });
    const { json } = await runJson(...options(benchmark, out, "--models", spec));
    expect(figures(json, "all")).toMatchObject({ argumentMatch: 1, callMatch: 1, toolF1: 1 });
  });

  it("ends with exit code 1 if runs failed, and says why", async () => {
    const out = join(temporaryFolder(), "out");
    const { spec } = scriptedModel([new Error("out of order")]);
    const { code } = await run(...options(benchmarkFolder(), out, "--models", spec));
    expect(code).toBe(1);
    expect(recordsIn(out).map(({ status, error }) => [status, error])).toEqual(
      TASK_LINES.map(() => ["error", expect.stringContaining("out of order")]),
    );
  });
});

describe("an experiment that cannot be made", () => {
  it.each([
    ["a graph", ["--graphs", "fancy"], /unknown graph "fancy"/],
    ["a model", ["--models", "openai:gpt-4.1-mini"], /OPENAI_API_KEY/],
    ["a setting", ["--set", "topk=5"], /unknown setting "topk"; did you mean "topK"/],
    ["a value of a setting", ["--set", "topK=0,5"], /topK: /],
    ["a level", ["--level", "heroic"], /unknown level .*"heroic"; .*easy/],
    ["a count", ["--runs", "0"], /--runs/],
    [
      "the number of runs",
      ["--runs", "100000"],
      /3 tasks × 1 graph × 100000 repetitions are 300000 runs, and .* at most 100000\. Lower --runs/,
    ],
    [
      "the size of a grid",
      ["topK", "primingTopK", "maxSteps"].flatMap((name) => [
        "--set",
        `${name}=${Array.from({ length: 100 }, (_, at) => at + 1).join()}`,
      ]),
      /1 graph × 1000000 combinations × 1 repetition are 1000000 runs/,
    ],
    ["the number of runs at a time", ["--concurrency", "5000"], /a count from 1 to 1000/],
    [
      "a model that is named twice",
      ["--models", "a:b", "--set", "model=c:d"],
      /--set model: --models/,
    ],
    ["a seed", ["--seed", "1.5"], /--seed.*Not a whole number/],
    ["a spending limit", ["--max-usd", "-1"], /--max-usd.*Not an amount above 0/],
  ])("is not even begun when %s is wrong", async (_what, more, message) => {
    const out = join(temporaryFolder(), "out");
    expect(errorLine(await run(...options(benchmarkFolder(), out, ...more)))).toMatch(message);
    expect(existsSync(out)).toBe(false);
  });
});

describe("a spending limit", () => {
  it("is refused for a model whose price nobody knows", async () => {
    vi.stubEnv("OPENAI_API_KEY", "none");
    onTestFinished(() => void vi.unstubAllEnvs());
    const out = join(temporaryFolder(), "out");
    const argv = options(benchmarkFolder(), out, "--models", "openai:mystery", "--max-usd", "1");
    expect(errorLine(await run(...argv))).toMatch(
      /--max-usd: the price of one of these is not known: openai:mystery/,
    );
  });
});

describe("eval report", () => {
  it("writes the report beside the results, and prints the table", async () => {
    const out = join(temporaryFolder(), "out");
    await run(...options(benchmarkFolder(), out));
    const { code, stdout } = await run("eval", "report", out);
    expect(code).toBe(0);
    expect(stdout).toMatch(/minimal_tulip\s+easy · 2 tasks\s+1\.00/);
    expect(stdout).toContain("not a language model");
    expect(readFileSync(join(out, "report.html"), "utf8")).toMatch(/^<!doctype html>/i);
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain("| minimal_tulip");
  });

  it("says what changed between two experiments, and whether it is more than noise", async () => {
    const folder = temporaryFolder();
    const benchmark = benchmarkFolder();
    const [a, b] = [join(folder, "a"), join(folder, "b")];
    await run(...options(benchmark, a));
    const { spec } = scriptedModel([{ stop: "No idea.", solved: false }]);
    await run(...options(benchmark, b, "--models", spec));
    const { code, stdout } = await run("eval", "report", a, b);
    expect(code).toBe(0);
    expect(stdout).toContain("within noise");
    expect(stdout).toContain("sum");
  });
});
