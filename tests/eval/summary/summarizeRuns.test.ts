import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StageVisit } from "../../../eval/runs/runRecord.js";
import type { Row, Summary } from "../../../eval/summary/summarizeRuns.js";
import { runOf } from "../scorers/support.js";
import { judgedRun, summaryOf, tasksOf } from "./support.js";

function rowOf(summary: Summary, wanted: Partial<Row>): Row | undefined {
  return summary.rows.find((row) =>
    Object.entries(wanted).every(([name, value]) => row[name as keyof Row] === value),
  );
}

/** A visit of a stage that called the model once. */
function visit(stage: string, inputTokens: number): StageVisit {
  const used = { inputTokens, cachedTokens: inputTokens / 2, outputTokens: 10, embeddingTokens: 0 };
  return { stage, modelCalls: 1, ...used, ms: 1, usd: inputTokens / 100 };
}

describe("the rows of a summary", () => {
  const records = [
    judgedRun({ task: "t1", right: true, run: 1, tokens: 100 }),
    judgedRun({ task: "t2", right: false, run: 1, tokens: 200 }),
    judgedRun({ task: "t1", right: true, run: 2, tokens: 300 }),
    judgedRun({ task: "t2", right: true, run: 2, tokens: 1000 }),
  ];

  it("are one for each graph, variant and level, and one for all levels", () => {
    const more = [
      judgedRun({ task: "t1", right: true, graph: "base" }),
      judgedRun({ task: "t1", right: true, variant: "topK=5" }),
    ];
    const { rows, levels } = summaryOf({ records: [...records, ...more] });
    expect(levels).toStrictEqual(["easy", "hard"]);
    expect(
      rows.map(({ graph, variant, level }) => [graph, variant, level].join("/")),
    ).toStrictEqual([
      "cot_tulip//easy",
      "cot_tulip//hard",
      "cot_tulip//all",
      "cot_tulip/topK=5/easy",
      "cot_tulip/topK=5/all",
      "base//easy",
      "base//all",
    ]);
  });

  it("hold mean, spread over repetitions, interquartile mean and interval", () => {
    const row = rowOf(summaryOf({ records }), { level: "all" });
    expect(row).toMatchObject({ tasks: 2, runs: 4 });
    // Three of four right; repetitions 0.5 and 1, whose standard deviation is √0.125.
    expect(row?.aggregates["answerNumeric"]).toMatchObject({ mean: 0.75, runs: 4 });
    expect(row?.aggregates["answerNumeric"]?.sdOverRuns).toBeCloseTo(Math.sqrt(0.125), 12);
    // Wilson's interval of three of four in two tasks.
    expect(row?.aggregates["answerNumeric"]?.low).toBeCloseTo(0.2, 2);
    expect(row?.aggregates["answerNumeric"]?.high).toBeCloseTo(0.97, 2);
    expect(row?.aggregates["totalTokens"]).toMatchObject({ mean: 400, interquartileMean: 250 });
  });

  it("leave out scores that apply to no run, and count only runs to which they do", () => {
    const priced = records.map((record, index) => ({ ...record, usd: index === 0 ? 1 : null }));
    const row = rowOf(summaryOf({ records: priced }), { level: "all" });
    expect(row?.aggregates["usd"]).toMatchObject({ mean: 1, runs: 1 });
    expect(row?.aggregates).not.toHaveProperty("stateMatch");
  });
});

describe("the runs of a summary", () => {
  it("are the latest attempts", () => {
    const summary = summaryOf({
      records: [
        judgedRun({ task: "t1", right: true, attempt: 2 }),
        judgedRun({ task: "t1", right: false, attempt: 1 }),
      ],
    });
    expect(summary.runs.map(({ record }) => record.attempt)).toStrictEqual([2]);
    expect(summary.missing).toBe(1);
    expect(rowOf(summary, { level: "all" })?.aggregates["answerNumeric"]?.mean).toBe(1);
  });

  it("that broke off count as not right", () => {
    const broken = runOf({ status: "error", answer: "", error: "no reply" });
    const summary = summaryOf({ records: [broken], tasks: tasksOf(1) });
    expect(rowOf(summary, { level: "all" })?.aggregates["answerNumeric"]).toMatchObject({
      mean: 0,
      runs: 1,
    });
  });

  it("of an unknown task are marked and change no figure", () => {
    const records = [judgedRun({ task: "t1", right: true })];
    const lost = judgedRun({ task: "t9", right: false, tokens: 9999 });
    const summary = summaryOf({ records: [lost, ...records] });
    expect(summary.runs.at(-1)?.problems).toStrictEqual({
      task: 'there is no task "t9" in the benchmark',
    });
    expect(rowOf(summary, { level: "all" })?.aggregates).toStrictEqual(
      rowOf(summaryOf({ records }), { level: "all" })?.aggregates,
    );
  });

  it("give the same summary in any order", () => {
    const graphs = ["base", "cot_tulip"];
    const records = graphs.flatMap((graph, g) =>
      tasksOf(5).flatMap(({ id }, t) =>
        [1, 2, 3].map((run) =>
          judgedRun({
            task: id,
            graph,
            run,
            right: (g + t + run) % 3 > 0,
            tokens: 0.1 * (t + run),
          }),
        ),
      ),
    );
    const inOrder = summaryOf({ records, tasks: tasksOf(5), graphs });
    fc.assert(
      fc.property(fc.shuffledSubarray(records, { minLength: records.length }), (shuffled) => {
        const summary = summaryOf({ records: shuffled, tasks: tasksOf(5), graphs });
        expect(summary).toStrictEqual(inOrder);
      }),
      { numRuns: 10 },
    );
  });
});

describe("the tests of a summary", () => {
  const tasks = tasksOf(8);
  const runs = (graph: string, right: boolean, parts: { variant?: string; tokens?: number } = {}) =>
    tasks.map(({ id }) => judgedRun({ task: id, graph, right, ...parts }));

  it("compare the graphs of a variant by correctness and tokens", () => {
    const { tests } = summaryOf({
      records: [...runs("base", false), ...runs("cot_tulip", true, { tokens: 150 })],
      tasks,
    });
    const names = { a: { graph: "base", variant: "" }, b: { graph: "cot_tulip", variant: "" } };
    expect(tests).toStrictEqual([
      {
        score: "answerNumeric",
        ...names,
        pairs: 8,
        differing: 8,
        meanDifference: -1,
        p: 2 / 2 ** 8,
      },
      {
        score: "totalTokens",
        ...names,
        pairs: 8,
        differing: 8,
        meanDifference: -50,
        p: 2 / 2 ** 8,
      },
    ]);
  });

  it("compare the variants of a graph, and never two graphs under two variants", () => {
    const { tests } = summaryOf({
      records: ["base", "cot_tulip"].flatMap((graph) =>
        ["topK=1", "topK=5"].flatMap((variant) => runs(graph, true, { variant })),
      ),
      tasks,
    });
    const compared = tests
      .filter(({ score }) => score === "answerNumeric")
      .map(({ a, b, p }) => `${a.graph} ${a.variant} / ${b.graph} ${b.variant} ${p}`);
    expect(compared.toSorted()).toStrictEqual([
      "base topK=1 / base topK=5 1",
      "base topK=1 / cot_tulip topK=1 1",
      "base topK=5 / cot_tulip topK=5 1",
      "cot_tulip topK=1 / cot_tulip topK=5 1",
    ]);
  });

  it("use the means of tasks that both have", () => {
    const records = [
      judgedRun({ task: "t1", graph: "base", right: true, run: 1 }),
      judgedRun({ task: "t1", graph: "base", right: false, run: 2 }),
      judgedRun({ task: "t2", graph: "base", right: true }),
      judgedRun({ task: "t1", graph: "cot_tulip", right: true }),
      judgedRun({ task: "t3", graph: "cot_tulip", right: true }),
    ];
    const [test] = summaryOf({ records, tasks }).tests;
    expect(test).toMatchObject({ score: "answerNumeric", pairs: 1, meanDifference: -0.5 });
  });
});

describe("the stages of a summary", () => {
  it("are means over all runs of a graph, with stages in the order of their visits", () => {
    const { stages } = summaryOf({
      records: [
        runOf({
          task: "t1",
          stages: [visit("decompose", 40), visit("act", 100), visit("act", 200)],
        }),
        runOf({ task: "t2", stages: [visit("decompose", 60)] }),
      ],
    });
    const series = { graph: "cot_tulip", variant: "", modelCalls: 1, outputTokens: 10 };
    expect(stages).toStrictEqual([
      { ...series, stage: "decompose", inputTokens: 50, cachedTokens: 25, usd: 0.5 },
      { ...series, stage: "act", inputTokens: 150, cachedTokens: 75, usd: 1.5 },
    ]);
  });

  it("have no price if that of one visit is unknown", () => {
    const stages = [visit("act", 100), { ...visit("act", 100), usd: null }];
    const summary = summaryOf({ records: [runOf({ task: "t1", stages })] });
    expect(summary.stages).toMatchObject([{ stage: "act", inputTokens: 200, usd: null }]);
  });
});
