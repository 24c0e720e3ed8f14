import { describe, expect, it } from "vitest";
import { evidenceOf, isDerivable } from "../../../../eval/scorers/hallucinations.js";

function follows(value: unknown, ...texts: string[]): boolean {
  return isDerivable(value, evidenceOf(texts));
}

describe("a value can come from texts", () => {
  it.each<[unknown, string]>([
    ["P1", "Prioritise my P1 issues"],
    ["issue", "Show my issues"],
    ["The login bug", "fix the bug at login"],
    ["dave.miller@example.org", "write to Dave.Miller@example.org"],
    ["2026-03-05", "on 5 March 2026"],
    ["2026-03-12", "a week after 5 March 2026"],
    ["2023-11-30T15:00:00", "30 November 2023, 3pm"],
    ["up", "move it up"],
    ["", "anything"],
    ["1,200", "1200 euros"],
    [1200, "1,200 euros"],
    [-3, "at -3 degrees"],
    [3, "the three newest"],
    [7, "on the 7th"],
    [39.27, "39.26990816987"],
    [0.2, "20 %"],
    [1e-7, "1e-7 metres"],
    [true, ""],
    [null, ""],
    [["PROD-123", { type: "task" }], "tasks of PROD-123"],
  ])("%j from '%s'", (value, text) => {
    expect(follows(value, text)).toBe(true);
  });

  it.each<[unknown, string]>([
    ["P1", "Prioritise my P0 issues"],
    ["urgent login bug", "the login bug"],
    ["2026-04-19", "on 5 March 2026"],
    ["2023-11-30T16:00:00", "30 November 2023, 3pm"],
    [6, "2 and 3"],
    [["PROD-123", "PROD-124"], "tasks of PROD-123"],
    [{ type: "ticket" }, "tasks"],
  ])("but not %j from '%s'", (value, text) => {
    expect(follows(value, text)).toBe(false);
  });

  it("and from several of them together", () => {
    expect(follows("login bug", "login", "a bug")).toBe(true);
  });
});
