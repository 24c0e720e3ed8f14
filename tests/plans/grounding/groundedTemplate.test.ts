import { describe, expect, it } from "vitest";
import { groundedTemplate } from "../../../plans/grounding/groundedTemplate.js";
import { knownIn } from "../../../plans/grounding/sources.js";

/** The template of a plan of one reading step, as it may go out. */
function grounded(
  answer: string,
  { outputs = [18], isWrite = false }: { outputs?: unknown[]; isWrite?: boolean } = {},
) {
  const known = knownIn({ texts: ["The area of 3 by 6?"], values: outputs });
  const last = [{ step: outputs.length - 1, isWrite }];
  return groundedTemplate({ plan: { answer }, outputs, known, last });
}

describe("the answer of a plan", () => {
  it.each([
    ["The area of 3 by 6 is 24.", "The area of 3 by 6 is $$PREV[0]."],
    ["24", "$$PREV[0]"],
    ["It is [result of step 1] cm.", "It is $$PREV[0] cm."],
    ["It comes to $24.50!", "It comes to $$$PREV[0]!"],
    ["A drop of -24.", "A drop of $$PREV[0]."],
  ])("%j gets its one result instead of the guess", (answer, mended) => {
    expect(grounded(answer)).toEqual({ answer: mended });
  });

  it.each([
    ["It is approximately 43.98228718340759 cm.", "It is approximately $$PREV[0] cm."],
    ["It is about 44 cm.", "It is about $$PREV[0] cm."],
    ["43.98", "$$PREV[0]"],
  ])("%j gets its one result instead of a value close to it", (answer, mended) => {
    expect(grounded(answer, { outputs: [43.982297150257104] })).toEqual({ answer: mended });
  });

  it("is left to be worded if two values come near the result", () => {
    const answer = "It is about 44, or 43.9.";
    expect(grounded(answer, { outputs: [43.982297150257104] })).toHaveProperty("reason");
  });

  it.each([
    ["$$PREV[0] cm for 3 by 6."],
    ["It is 18."],
    ["It is eighteen, 18 in digits, of 3 by 6."],
  ])("%j stands as it is", (answer) => {
    expect(grounded(answer)).toMatchObject({ answer });
  });

  it.each([
    ["It is 24 or 25.", /holds 24; 25, which/],
    ["The result 18 and 6 more make 24.", /holds 24/],
    ["It is $$PREV[0], or 24.", /holds 24/],
    ["It is 24 %.", /holds 24 %/],
    ["Done.", /tells nothing of the results/],
    ["It is 6.", /tells nothing of the results/],
  ])("%j is left to be put into words", (answer, reason) => {
    expect(grounded(answer)).toMatchObject({ reason: expect.stringMatching(reason) });
  });

  it("needs no result of a write to say that it was done", () => {
    expect(grounded("Done.", { isWrite: true })).toMatchObject({ answer: "Done." });
    expect(grounded("Booked as LOG-9.", { outputs: ["LOG-4"], isWrite: true })).toEqual({
      answer: "Booked as $$PREV[0].",
    });
  });

  it("is not filled in with a result that is not a single value", () => {
    expect(grounded("It is 24.", { outputs: [[18, 19]] })).toHaveProperty("reason");
  });
});
