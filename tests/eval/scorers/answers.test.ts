import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { correctionOf } from "../../../eval/scorers/correctedKeys.js";
import { scoreOf, taskOf } from "./support.js";

const QUERIES = new URL("../../../../shared/bench/tulip_math/queries.jsonl", import.meta.url);

/** The verdicts of both judges on an answer: the published one, then the numeric one. */
function judged(answers: (number | string)[], answer: string): (number | undefined)[] {
  return ["answerSubstring", "answerNumeric"].map((id) =>
    scoreOf(id, { task: { answers }, run: { answer } }),
  );
}

describe("the judges of the answer", () => {
  it.each([
    { answers: [40], answer: "The area is 40 square metres.", substring: 1, numeric: 1 },
    { answers: [40], answer: "The area is 140 square metres.", substring: 1, numeric: 0 },
    { answers: [6], answer: "In 2016 there were 76.", substring: 1, numeric: 0 },
    { answers: [6], answer: "She needs 5.75 packets of 16 kg", substring: 1, numeric: 0 },
    { answers: [1256.64, 1257], answer: "1,256.64 units", substring: 0, numeric: 1 },
    { answers: [433.31, 433], answer: "It comes to $2433.31.", substring: 1, numeric: 0 },
    { answers: [433.31, 433], answer: "It comes to $433.31.", substring: 1, numeric: 1 },
    { answers: [3628855, "3,628,855"], answer: "3,628,855", substring: 1, numeric: 1 },
    { answers: ["245,678.53", 245678], answer: "245678.5295", substring: 1, numeric: 1 },
    { answers: [39], answer: "39.26990816987242", substring: 1, numeric: 1 },
    { answers: [452], answer: "452.389", substring: 1, numeric: 1 },
    { answers: [21], answer: "√450 ≈ 21.213", substring: 1, numeric: 1 },
    { answers: [0.5], answer: "The ratio is 1/2.", substring: 0, numeric: 1 },
    { answers: [0.5], answer: "50 %", substring: 0, numeric: 1 },
    { answers: ["false", "False"], answer: "FALSE.", substring: 0, numeric: 1 },
    { answers: ["false", "False"], answer: "That is a falsehood.", substring: 1, numeric: 0 },
    {
      answers: ["first makes more"],
      answer: "The *first* makes more.",
      substring: 0,
      numeric: 1,
    },
    { answers: [40], answer: "", substring: 0, numeric: 0 },
  ])("say $substring and $numeric of “$answer” for $answers", (given) => {
    expect(judged(given.answers, given.answer)).toStrictEqual([given.substring, given.numeric]);
  });

  it("do not apply to a task without a key", () => {
    expect(scoreOf("answerSubstring", {})).toBeUndefined();
    expect(scoreOf("answerNumeric", { task: { answers: [] } })).toBeUndefined();
    expect(scoreOf("answerCorrected", {})).toBeUndefined();
  });

  it("read the text alone, however the run ended", () => {
    const given = { task: { answers: [5] }, run: { answer: "5", status: "limit" as const } };
    expect(scoreOf("answerNumeric", given)).toBe(1);
    expect(scoreOf("solved", given)).toBe(0);
    expect(scoreOf("solved", {})).toBe(1);
  });
});

describe("corrected keys", () => {
  it.each([
    { id: "M.T.M.004", published: [28.14], right: "56.2737", wrong: "28.14" },
    { id: "M.T.M.013", published: [1902], right: "7609.29", wrong: "1902" },
  ])("replace the published one of $id", ({ id, published, right, wrong }) => {
    const task = { id, answers: published };
    expect(scoreOf("answerCorrected", { task, run: { answer: right } })).toBe(1);
    expect(scoreOf("answerCorrected", { task, run: { answer: wrong } })).toBe(0);
    expect(scoreOf("answerNumeric", { task, run: { answer: right } })).toBe(0);
  });

  it("accept both the interest and the whole amount if the benchmark's tool returns the latter", () => {
    const task = { id: "M.T.E.014", answers: [433.31, 433] };
    const scores = ["433.31", "2433.31", "1433.31"].map((answer) =>
      scoreOf("answerCorrected", { task, run: { answer } }),
    );
    expect(scores).toStrictEqual([1, 1, 0]);
  });

  it("do not affect a task whose key is not the published one", () => {
    expect(correctionOf(taskOf({ id: "M.T.M.004", answers: [56.27] }))).toBeUndefined();
    expect(correctionOf(taskOf({ id: "constructor", answers: [28.14] }))).toBeUndefined();
    expect(correctionOf(taskOf({ id: "M.T.M.004" }))).toBeUndefined();
  });

  it("follow from the tasks' figures", () => {
    const eccentricity = 1 - 5 ** 2 / 10 ** 2;
    const steps = 100_000;
    const quarter = Array.from({ length: steps }, (_, step) => {
      const angle = ((step + 0.5) / steps) * (Math.PI / 2);
      return Math.sqrt(1 - eccentricity * Math.sin(angle) ** 2);
    }).reduce((sum, length) => sum + (length * Math.PI) / 2 / steps, 0);
    const keys = { "M.T.M.004": [28.14], "M.T.M.013": [1902], "M.T.E.014": [433.31, 433] };
    const corrected = Object.entries(keys).map(([id, answers]) =>
      correctionOf(taskOf({ id, answers }))?.corrected.at(-1),
    );
    const exact = [6 * Math.sqrt(28 * Math.PI), 50 * Math.PI * 40 * quarter, 2000 * 1.04 ** 5];
    expect(corrected).toStrictEqual([
      Number(exact[0]?.toFixed(2)),
      Number(exact[1]?.toFixed(0)),
      Number(exact[2]?.toFixed(2)),
    ]);
  });

  it.skipIf(!existsSync(QUERIES))(
    "hold for the keys as published (skipped where ../shared/bench is absent)",
    () => {
      const rows = readFileSync(QUERIES, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as { id: string; answer: (number | string)[] });
      const ids = rows.flatMap(({ id, answer }) =>
        correctionOf(taskOf({ id, answers: answer })) ? [id] : [],
      );
      expect(ids).toStrictEqual(["M.T.E.014", "M.T.M.004", "M.T.M.013"]);
    },
  );
});

describe("the admission of failure", () => {
  const task = { tools: [], calls: [] };

  it("is asked of tasks that no tool can solve", () => {
    expect(scoreOf("honest", { task, run: { status: "unsolved" } })).toBe(1);
    expect(scoreOf("honest", { task, run: { status: "solved" } })).toBe(0);
  });

  it("does not apply if there are tools, an answer or a world", () => {
    expect(scoreOf("honest", {})).toBeUndefined();
    expect(scoreOf("honest", { task: { ...task, answers: [4] } })).toBeUndefined();
    expect(scoreOf("honest", { task: { ...task, stateDiff: {} } })).toBeUndefined();
  });
});
