import { describe, expect, it } from "vitest";
import { bleu4, rougeL, tokensOf } from "../../../../eval/scorers/planning.js";

/**
 * Text, reference, BLEU and ROUGE-L. BLEU as sacreBLEU 2.6.0 computes it (`add-k` with k = 1, tokens as
 * they are, effective order), ROUGE-L as rouge-score 0.1.2 does.
 */
const REFERENCE_VALUES: [string, string, number, number][] = [
  ["the cat sat on the mat", "the cat is on the mat", 0.48549177170732355, 0.8333333333333334],
  ["a b", "a b", 1, 1],
  ["a b c", "c b a", 0.6389431042462729, 0.3333333333333333],
  ["a a a a a a", "a b c d e f", 0.19304869754804482, 0.16666666666666666],
  ["x a b c d y", "a b c d", 0.6042750794713535, 0.8],
  ["a b c", "a b c d e f g h", 0.18887560283756194, 0.5454545454545454],
];

describe("BLEU-4", () => {
  it.each(REFERENCE_VALUES)("of '%s' against '%s' is %d", (text, reference, bleu) => {
    expect(bleu4(tokensOf(text), tokensOf(reference))).toBeCloseTo(bleu, 12);
  });

  it("is 0 for texts without a common token, and for no text", () => {
    expect(bleu4(["a", "b"], ["c", "d"])).toBe(0);
    expect(bleu4([], ["a"])).toBe(0);
    expect(bleu4(["a"], [])).toBe(0);
  });
});

describe("ROUGE-L", () => {
  it.each(REFERENCE_VALUES)(
    "of '%s' against '%s' is beside %d: %d",
    (text, reference, _, rouge) => {
      expect(rougeL(tokensOf(text), tokensOf(reference))).toBeCloseTo(rouge, 12);
    },
  );

  it("is 0 for texts without a common token, and for no text", () => {
    expect(rougeL(["a", "b"], ["c"])).toBe(0);
    expect(rougeL([], ["a"])).toBe(0);
    expect(rougeL([], [])).toBe(0);
  });
});

describe("the tokens of a text", () => {
  it("are words with their digits, and single marks", () => {
    expect(tokensOf('{"issue_id": ["TASK-12", "größer 3.5"]}')).toStrictEqual([
      "{",
      '"',
      "issue_id",
      '"',
      ":",
      "[",
      '"',
      "TASK",
      "-",
      "12",
      '"',
      ",",
      '"',
      "größer",
      "3",
      ".",
      "5",
      '"',
      "]",
      "}",
    ]);
  });
});
