import { describe, expect, it } from "vitest";
import { scoreOf } from "./support.js";

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
  });

  it("read the text alone, however the run ended", () => {
    const given = { task: { answers: [5] }, run: { answer: "5", status: "limit" as const } };
    expect(scoreOf("answerNumeric", given)).toBe(1);
    expect(scoreOf("solved", given)).toBe(0);
    expect(scoreOf("solved", {})).toBe(1);
  });
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
