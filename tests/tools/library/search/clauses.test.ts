import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clausesOf } from "../../../../tools/library/search/clauses.js";

describe("clausesOf", () => {
  it("splits at sentences, commas, semicolons, 'and' and 'then'", () => {
    expect(
      clausesOf(
        "Compute the area of the lawn and find its perimeter, then send both to Ann Lee; who is she? Close my oldest ticket.",
      ),
    ).toEqual([
      "Compute the area of the lawn",
      "find its perimeter",
      "send both to Ann Lee",
      "who is she?",
      "Close my oldest ticket.",
    ]);
  });

  it("cuts at 'and' only where a task can begin", () => {
    for (const request of [
      "Show her open p0 and p1 issues of this week",
      "How far is it from Rome to Oslo and back by train",
      "Which books about love and peace were written before 1900",
    ]) {
      expect(clausesOf(request)).toEqual([]);
    }
    expect(
      clausesOf(
        "Sort the old and new orders by date and I want a chart of both and what is missing?",
      ),
    ).toEqual([
      "Sort the old and new orders by date",
      "I want a chart of both",
      "what is missing?",
    ]);
  });

  it("takes the items of a list without their bullets and numbers", () => {
    expect(
      clausesOf(
        "1. Find the newest order\n2) cancel this one order\n- tell the customer\n• archive it all",
      ),
    ).toEqual([
      "Find the newest order",
      "cancel this one order",
      "tell the customer",
      "archive it all",
    ]);
  });

  it("leaves names and numbers with what they belong to, as they were written", () => {
    expect(
      clausesOf(
        "Plan a route through Rome, Paris and Oslo, then take 1,000.5 km and -5 off its length",
      ),
    ).toEqual([
      "Plan a route through Rome, Paris and Oslo",
      "take 1,000.5 km and -5 off its length",
    ]);
  });

  it("does not cut quoted text", () => {
    const parts = [
      "Send 'please come, and bring it; then go' to Bob",
      'find "a, b and c d e" again',
    ];
    expect(clausesOf(parts.join(", "))).toEqual(parts);
    expect(clausesOf("It's Bob's own book, and we don't have Ann's at all")).toEqual([
      "It's Bob's own book",
      "we don't have Ann's at all",
    ]);
  });

  it("splits other languages at punctuation", () => {
    expect(
      clausesOf("Berechne die Fläche des Kreises, schicke sie an Ann; schließe das Ticket."),
    ).toEqual(["Berechne die Fläche des Kreises", "schicke sie an Ann", "schließe das Ticket."]);
    expect(clausesOf("先计算圆的面积，然后把结果发给张三。最后关闭任务。")).toEqual([
      "先计算圆的面积",
      "然后把结果发给张三。",
      "最后关闭任务。",
    ]);
  });

  it("returns none for a request of one part", () => {
    for (const request of [
      "",
      "  ",
      "Stop!",
      "What is the area of a circle of radius 3?",
      "and, then",
    ]) {
      expect(clausesOf(request)).toEqual([]);
    }
  });

  it("returns none for a request that contains a long document", () => {
    const task = "Find the sum; send it to Ann Lee. ";
    expect(clausesOf(task.repeat(20))).toHaveLength(2);
    expect(clausesOf(task.repeat(400))).toEqual([]);
  });

  it("returns each part once", () => {
    expect(clausesOf("Check the weather now, check my mail first, Check the weather now")).toEqual([
      "Check the weather now",
      "check my mail first",
    ]);
  });

  it("joins neighbours if there are more than eight", () => {
    const tasks = Array.from({ length: 12 }, (_, at) => `take out part ${at} of it`);
    const parts = clausesOf(tasks.join("; "));
    expect(parts).toHaveLength(8);
    expect(parts.join("; ")).toBe(tasks.join("; "));
  });

  it("loses no word but those between parts, whatever the request", () => {
    const piece = fc.constantFrom(
      "find",
      "it",
      "'",
      '"',
      ",",
      ";",
      " and ",
      " then ",
      "\n",
      ". ",
      "- ",
      "1.",
      "，",
      " ",
    );
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 60 });
    fc.assert(
      fc.property(text, (pieces) => {
        const request = pieces.join("");
        const parts = clausesOf(request);
        expect(parts.length).toBeLessThanOrEqual(8);
        expect(parts).not.toHaveLength(1);
        expect(new Set(parts).size).toBe(parts.length);
        for (const part of parts) {
          expect(part).not.toBe("");
          for (const line of part.split("\n")) expect(spaced(request)).toContain(line);
        }
      }),
    );
  });
});

/** A text with each run of blanks replaced by one space, as in the parts that are returned. */
function spaced(text: string): string {
  return text.replaceAll(/[^\S\n]+/gu, " ");
}
