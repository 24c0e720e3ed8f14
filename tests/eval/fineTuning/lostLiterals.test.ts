import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lostLiterals } from "../../../eval/fineTuning/lostLiterals.js";

/** The argument values of one call that a wording has lost. */
function lost(request: string, wording: string, args: Record<string, unknown>) {
  return lostLiterals({ request, wording, calls: [{ args }] });
}

describe("values of calls that another wording has lost", () => {
  it.each([
    ["a number", "Double 21.", "Twice 12, please.", { value: 21 }, [21]],
    ["an id", "Close TKT-21.", "Shut TKT-2 down.", { ids: ["TKT-21"] }, ["TKT-21"]],
    ["an id with more behind it", "Close TKT-2.", "Close TKT-21.", { id: "TKT-2" }, ["TKT-2"]],
    [
      "the capitals of a name",
      "Ask Ada Byron.",
      "ask ada byron",
      { who: "Ada Byron" },
      ["Ada Byron"],
    ],
    [
      "the order of quoted words",
      'Say "this now".',
      'Tell them "now this".',
      { text: "this now" },
      ["this now"],
    ],
    [
      "words of a value in another form",
      "It is in review.",
      "It waits.",
      { s: "in_review" },
      ["in_review"],
    ],
    ["a value within a value", "Add 3 to x.", "Add it to x.", { at: { by: [3, "x"] } }, [3]],
  ])("are found: %s", (_what, request, wording, args, expected) => {
    expect(lost(request, wording, args)).toEqual(expected);
  });

  it.each([
    ["a small number in words", "Double 7.", "Twice seven.", { value: 7 }],
    ["a word that begins a sentence", "Take the blocker.", "Blocker: take it.", { p: "blocker" }],
    [
      "the words of a value in another order",
      "It is in review.",
      "Review is what it is in.",
      { s: "in_review" },
    ],
    ["what the request never said", "Mine?", "Whose is mine?", { user: "USER-1", most: 50 }],
    ["truth values, nothing and blanks", "Go on.", "Continue.", { a: true, b: null, c: " " }],
  ])("are not: %s", (_what, request, wording, args) => {
    expect(lost(request, wording, args)).toEqual([]);
  });

  it("are none if the wording contains the request, and all if it is empty", () => {
    const words = fc.array(fc.stringMatching(/^[A-Z][a-z]{1,8}-\d{1,3}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, (ids) => {
        const request = `Look at ${ids.join(" and ")}.`;
        expect(lost(request, `Please: ${request} Thanks!`, { ids })).toEqual([]);
        expect(lost(request, "Please look.", { ids })).toEqual([...new Set(ids)]);
      }),
    );
  });
});
