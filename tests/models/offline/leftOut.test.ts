import { describe, expect, it } from "vitest";
import { replyToCompose } from "../../../models/offline/composing.js";
import { CALCULATOR } from "./libraries.js";
import { composing, followed, numeric, planFor, planTool, textOf } from "./composeInputs.js";
import { solve } from "./solve.js";
import { valueText } from "../../../plans/valueText.js";
import { readPlan } from "../../../plans/readPlan.js";

const CIRCLE = Math.PI * 9;

describe("the whole of a request", () => {
  it.each([
    ["area of a circle of radius 3, plus 10?", CIRCLE + 10],
    ["What is the area of a circle with radius 3, minus 4, times 2?", (CIRCLE - 4) * 2],
    ["Calculate the area of a circle with radius 3, divided by 2.", CIRCLE / 2],
    [
      "What is the area of a rectangle with length 4 and width 3, plus the perimeter of the rectangle?",
      26,
    ],
    ["Find the area of a rectangle with length 4 and width 3, doubled.", 24],
  ])("%s", async (request, expected) => {
    const { message, solved } = await solve({ request, tools: CALCULATOR });
    expect(solved).toBe(true);
    expect(message).toBe(`The result is ${expected}.`);
    const tools = numeric(CALCULATOR);
    const { plan } = await planFor({ request, tools });
    expect(followed(plan, tools)).toBe(`The result is ${valueText(expected)}.`);
  });

  it.each([
    ["What is the area of a circle with radius 3, in units of 7?", "7"],
    ["Add 3 and 4 to 5, 6 and 9.", "9"],
    ["There are 12 of us. What is 3 + 4?", "12"],
  ])("is not claimed to be answered where a number was not used: %s", async (request, unused) => {
    const { message, solved } = await solve({ request, tools: CALCULATOR });
    expect(solved).toBe(false);
    expect(message).toContain(unused);
  });

  it("is not claimed to be answered if an operation in words was not done", async () => {
    const request = "What is the area of a circle with radius 3, plus a bit more?";
    const { message, solved } = await solve({ request, tools: CALCULATOR });
    expect(solved).toBe(false);
    expect(message).toContain("plus a bit more");
  });

  it("is left to be worded if a plan does not use all of it", async () => {
    const request = "What is the area of a circle with radius 3, in units of 7?";
    const reply = await textOf(replyToCompose(composing({ request, tools: CALCULATOR })));
    const { plan } = readPlan(reply, CALCULATOR.map(planTool));
    expect(plan.steps).toMatchObject([{ tool: "circleArea", args: { radius: 3 } }]);
    expect(plan.answer).toBe("");
  });

  it.each([
    "What is the simple interest on a loan of $5,000 at a rate of 5% over 3 years?",
    "1. Add 3 and 4.\n2. Multiply the result by 2.",
  ])("counts as used however its numbers are written: %s", async (request) => {
    const { solved } = await solve({ request, tools: CALCULATOR });
    expect(solved).toBe(true);
  });
});
