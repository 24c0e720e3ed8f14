import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitRequest } from "../../../models/offline/clauses.js";
import { findExpression } from "../../../models/offline/expressions.js";
import { stepsOf, splitSubtask } from "../../../models/offline/splitting.js";
import { genericPhrase } from "../../../models/offline/phrases.js";
import { readMentions, readNumber } from "../../../models/offline/quantities.js";
import { loopTurns } from "../../fakes/loopTurns.js";

describe("findExpression", () => {
  it.each([
    ["2 + 3 * 4", ["multiply 3 by 4", "add 2 and the result of step 1"]],
    ["What is 2^10?", ["raise 2 to the power of 10"]],
    ["Compute 1,000 − 250 please", ["subtract 250 from 1000"]],
    ["How much is 12 × 12 ÷ 3?", ["multiply 12 by 12", "divide the result of step 1 by 3"]],
    ["What is -4 + 10?", ["add -4 and 10"]],
    ["10/4", ["divide 10 by 4"]],
    ["What is 3 plus 4 times 5?", ["multiply 4 by 5", "add 3 and the result of step 1"]],
    [
      "the square root of 144 plus 10",
      ["calculate the square root of 144", "add the result of step 1 and 10"],
    ],
    ["5!", ["calculate the factorial of 5"]],
  ])("reads %s into steps in order", (request, steps) => {
    expect(findExpression(request)?.steps).toEqual(steps);
  });

  it.each([
    "Remind me on 2026-03-05",
    "Call 555-1234",
    "I am here 24/7, what is the weather?",
    "A loan with an interest rate of 5%",
    "Convert 10 degrees",
    "What is this?",
    "Meet at 10:30 (room 4)",
  ])("finds none in: %s", (request) => {
    expect(findExpression(request)).toBeUndefined();
  });
});

describe("splitRequest", () => {
  it("does not block the event loop while it reads a long sentence", async () => {
    await splitRequest("Say hello to Bob");
    const sentence = "find the invoice of march and send it to Bob , then ".repeat(20);
    expect(await loopTurns(() => splitRequest(sentence))).toBeGreaterThan(20);
  });

  it.each<[string, string[]]>([
    ["Calculate the area of a square with side 3.", ["find the area of a square with side 3"]],
    [
      "What is the volume of a ball of radius 3, and what is the area of a circle with radius 2?",
      ["find the volume of a ball of radius 3", "find the area of a circle with radius 2"],
    ],
    [
      "What is the volume of a ball of radius 3, and how do you say good morning in French?",
      ["find the volume of a ball of radius 3", "how do you say good morning in French"],
    ],
    [
      "Find the area and the perimeter of a square with side 3.",
      ["find the area of a square with side 3", "find the perimeter of a square with side 3"],
    ],
    [
      "What is the sum of the areas of a circle with radius 5, a square with side 2, and a cube with edge 3?",
      [
        "find the area of a circle with radius 5",
        "find the area of a square with side 2",
        "find the area of a cube with edge 3",
        "add the result of step 1 and the result of step 2",
        "add the result of step 4 and the result of step 3",
      ],
    ],
    [
      "Compute the volume of a cylinder with a height of 10 and a radius of 3, then find the volume of a sphere with a radius equal to the height of the cylinder.",
      [
        "find the volume of a cylinder with a height of 10 and a radius of 3",
        "find the volume of a sphere with a radius of 10",
      ],
    ],
    [
      "Find the area of a circle with radius 4, then find the volume of a cube with an edge equal to the square root of the circle's area.",
      [
        "find the area of a circle with radius 4",
        "find the square root of the result of step 1",
        "find the volume of a cube with an edge of the result of step 2",
      ],
    ],
    [
      "A teacher meets the number 42. She finds the factorial of this number. What is the square root of the result?",
      ["find the factorial of 42", "find the square root of the result of step 1"],
    ],
    [
      "Convert 15 degrees celsius to fahrenheit, add ten, and subtract 3.",
      [
        "Convert 15 degrees celsius to fahrenheit",
        "add ten to the result of step 1",
        "subtract 3 from the result of step 2",
      ],
    ],
    [
      "What is the factorial of 2 + 3?",
      ["add 2 and 3", "find the factorial of the result of step 1"],
    ],
    ["Tom asks his teacher: what is 2 + 3?", ["add 2 and 3"]],
    [
      "Book a flight to Rome and email the itinerary to Ann.",
      ["Book a flight to Rome", "email the itinerary to Ann"],
    ],
  ])("%s", async (request, steps) => {
    expect(await splitRequest(request)).toEqual(steps);
  });

  it("gives nothing for an empty request and something for any other", async () => {
    expect(await splitRequest("  ")).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, maxLength: 60 }), async (request) => {
        const steps = await splitRequest(request);
        expect(steps.length > 0).toBe(request.trim().length > 0);
      }),
      { numRuns: 100 },
    );
  });
});

describe("splitting further", () => {
  it("leaves an atomic subtask in one part", async () => {
    expect(await splitSubtask("find the area of a circle with radius 3")).toHaveLength(1);
  });

  it("keeps the steps of the request apart from the parts of a subtask", async () => {
    const parts = await splitSubtask(
      "find the sum of the factorial of the result of step 2 and the square of 3",
    );
    expect(parts.at(-1)).toMatch(/result of part 1/);
    expect(parts[0]).toMatch(/result of step 2/);
  });

  it("renumbers references after a step was replaced by its parts", async () => {
    const request = "What is (2 + 3) * 4 - 1?";
    const [first = "", , last = ""] = await splitRequest(request);
    const steps = [
      first,
      "do something with the result of step 1",
      "do more with the result of part 1",
      last,
    ];
    expect(await stepsOf(request, steps)).toEqual([
      first,
      "do something with the result of step 1",
      "do more with the result of step 2",
      "subtract 1 from the result of step 3",
    ]);
  });

  it("leaves steps alone that are not from the request", async () => {
    const steps = ["multiply 1 by 2", "add the result of step 1 and 3"];
    expect(await stepsOf("Something else", steps)).toEqual(steps);
  });
});

describe("genericPhrase", () => {
  it.each([
    ["multiply 45342 by 23487", "multiply two numbers"],
    ["find the difference between the result of step 1 and 4", "subtract two numbers"],
    ["find the area of a rectangle with length 8 and width 5", "area of a rectangle"],
    ["find the square root of the result of step 2", "square root of a number"],
    ["find the 10th Fibonacci number", "nth Fibonacci number"],
    ["What is the weather in Paris?", "weather"],
    ["Book a flight from Berlin to Madrid on May 5th", "Book a flight"],
    ["check if the result of step 3 is a prime number", "check if a number is a prime number"],
  ])("%s → %s", (subtask, phrase) => {
    expect(genericPhrase(subtask)).toBe(phrase);
  });

  it("is never empty for a subtask with words or values", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9]{1,8}( [a-z0-9]{1,8}){0,5}$/), (subtask) => {
        expect(genericPhrase(subtask)).not.toBe("");
      }),
    );
  });
});

describe("readMentions", () => {
  it("puts the words that name a value before and after it", () => {
    const [length, width] = readMentions("a rectangle with a length of 8 meters and a 5 cm width");
    expect(length).toMatchObject({ value: 8 });
    expect(length?.before).toContain("length");
    expect(width).toMatchObject({ value: 5 });
    expect(width?.after).toContain("width");
  });

  it("puts values of one enumeration into one group with one role", () => {
    const mentions = readMentions("a triangle with sides 2, 3 and 4 meters");
    expect(mentions.map(({ value }) => value)).toEqual([2, 3, 4]);
    expect(new Set(mentions.map(({ group }) => group)).size).toBe(1);
    for (const { before } of mentions) expect(before).toContain("sides");
  });

  it("puts the first operand of the operation first", () => {
    expect(readMentions("subtract 3 from 10").map(({ value }) => value)).toEqual([10, 3]);
    expect(readMentions("divide 3 by 10").map(({ value }) => value)).toEqual([3, 10]);
  });

  it("knows references, quoted texts, addresses, dates, percentages and money", () => {
    const found = readMentions(
      'pay $5 at 4% to a@b.org on 2026-01-02 for "x y" and the result of step 3',
    );
    expect(found).toMatchObject([
      { value: 5, unit: "money" },
      { value: 4, unit: "percent" },
      { kind: "text", value: "a@b.org" },
      { kind: "text", value: "2026-01-02" },
      { kind: "text", value: "x y" },
      { kind: "reference", value: 3 },
    ]);
  });

  it.each([
    ["1,000.5", 1000.5],
    ["500.000", 500000],
    ["$5000", 5000],
    ["5%", 5],
    ["10th", 10],
    ["−3", -3],
    [".3", 0.3],
  ])("reads %s as %d", (written, value) => {
    expect(readNumber(written)).toBe(value);
  });
});
