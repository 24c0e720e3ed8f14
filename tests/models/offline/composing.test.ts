import * as fc from "fast-check";
import { evaluate } from "mathjs/number";
import { describe, expect, it } from "vitest";
import { replyToCompose, replyToReflect } from "../../../models/offline/composing.js";
import { readCode } from "../../../plans/readCode.js";
import { readPlan } from "../../../plans/readPlan.js";
import { composing, followed, numeric, planFor, planTool, textOf } from "./composeInputs.js";
import { CALCULATOR, OFFICE, text, tool } from "./libraries.js";

const TOOLS = numeric(CALCULATOR);
const TWO_STEPS = "Subtract 3 from 10, then multiply the result by 2.";

describe("composing a typed plan", () => {
  it("writes the whole plan, its answer included, before anything has run", async () => {
    const { plan, repairs, issues } = await planFor({ request: TWO_STEPS, tools: TOOLS });
    expect({ repairs, issues }).toEqual({ repairs: [], issues: [] });
    expect(plan).toEqual({
      steps: [
        { tool: "minus", args: { a: 10, b: 3 } },
        { tool: "times", args: { a: { $prev: 0, path: [] }, b: 2 } },
      ],
      answer: "The result is $$PREV[1].",
    });
  });

  it("gives the answer that calling step by step would give", async () => {
    const operators = fc.constantFrom("+", "*", "-");
    await fc.assert(
      fc.asyncProperty(fc.nat(99), operators, fc.nat(99), operators, fc.nat(99), async (...of) => {
        const expression = of.join(" ");
        const { plan, issues } = await planFor({ request: `What is ${expression}?`, tools: TOOLS });
        expect(issues).toEqual([]);
        expect(followed(plan, TOOLS)).toBe(`The result is ${evaluate(expression)}.`);
      }),
      { numRuns: 20 },
    );
  });

  it("takes every number of the plan from the request", async () => {
    const request = "What is (17 + 23) * (31 + 41)?";
    const { plan } = await planFor({ request, tools: TOOLS });
    const numbers = plan.steps.flatMap(({ args }) =>
      Object.values(args).filter((value) => typeof value === "number"),
    );
    expect(numbers).toEqual([17, 23, 31, 41]);
  });

  it("names several results in its answer", async () => {
    const request = "Find the area and the perimeter of a rectangle with length 4 and width 3.";
    const { plan } = await planFor({ request, tools: TOOLS });
    expect(plan.answer).toBe(
      "area of a rectangle: $$PREV[0]; perimeter of a rectangle: $$PREV[1].",
    );
    expect(followed(plan, TOOLS)).toBe("area of a rectangle: 12; perimeter of a rectangle: 14.");
  });

  it("takes the field of an object that a parameter asks for", async () => {
    const tools = [
      tool({
        name: "find_email_address",
        description: "Look up the email address of a colleague by name.",
        properties: { name: text("Name of the colleague") },
        run: () => ({ name: "Carlos", recipient: "carlos@example.org" }),
      }),
      ...OFFICE.filter(({ name }) => name === "send_email"),
    ];
    const fields = { name: { type: "string" }, recipient: { type: "string" } };
    const typed = tools.map((one, at) => ({
      ...one,
      returns: at === 0 ? { type: "object", properties: fields } : { type: "string" },
    }));
    const request =
      'Find the email address of Carlos, then send an email to the result of step 1 with body "Hi".';
    const { plan, issues } = await planFor({ request, tools: typed });
    expect(issues).toEqual([]);
    expect(plan.steps[1]?.args).toMatchObject({ recipient: { $prev: 0, path: ["recipient"] } });
  });
});

describe("composing what depends on values", () => {
  it("does not use a result of unknown type as a number", async () => {
    const { plan } = await planFor({ request: TWO_STEPS, tools: CALCULATOR });
    expect(plan.steps).toEqual([{ tool: "minus", args: { a: 10, b: 3 } }]);
  });

  it("does not point back at a step that it could not plan", async () => {
    const send = tool({
      name: "send_note",
      description: "Send a note to a colleague.",
      properties: { note: text("The note that is sent") },
    });
    const request = "Read the tea leaves, then multiply the result by 2 and send that note.";
    const { plan } = await planFor({ request, tools: [...TOOLS, send] });
    expect(plan).toEqual({ steps: [], answer: "" });
  });

  it("plans nothing where it is unclear from the start which value is meant", async () => {
    const request = "The square has a side length of 10 meters. Find the area of the circle.";
    const { plan } = await planFor({ request, tools: TOOLS });
    expect(plan).toEqual({ steps: [], answer: "" });
  });
});

/** How much is left of a plan after a fault. */
async function stepsAfter(problem: string): Promise<{ steps: number; answer: string }> {
  const failed = { plan: "", problems: [problem], cue: "" };
  const { plan } = await planFor({ request: TWO_STEPS, tools: TOOLS, more: { failed } });
  return { steps: plan.steps.length, answer: plan.answer };
}

describe("composing again after faults", () => {
  it("ends before the first faulty step", async () => {
    const failed = { plan: "", problems: ["step 1: a: it has no such field"], cue: "" };
    const { plan } = await planFor({ request: TWO_STEPS, tools: TOOLS, more: { failed } });
    expect(plan.steps).toEqual([{ tool: "minus", args: { a: 10, b: 3 } }]);
    expect(plan.answer).toBe("");
  });

  it("keeps all steps if only the answer is wrong, and none if the whole plan is", async () => {
    expect(await stepsAfter("answer: it refers to nothing")).toEqual({ steps: 2, answer: "" });
    expect(await stepsAfter("its calls cost 9 in all")).toEqual({ steps: 0, answer: "" });
  });

  it("accepts a plan without faults, and gives faults as the cue", async () => {
    const input = { request: TWO_STEPS, tools: [], plan: "[]", earlierTurns: [] };
    const verdict = async (problems: string[]) =>
      JSON.parse(await textOf(replyToReflect({ ...input, problems }))) as unknown;
    expect(await verdict([])).toEqual({ accepted: true, cue: "" });
    expect(await verdict(["step 0: no."])).toEqual({ accepted: false, cue: "step 0: no." });
  });
});

describe("composing in the published forms", () => {
  it.each(["stateAction", "enforced"] as const)(
    "writes a bare list of calls (%s)",
    async (style) => {
      const input = composing({ request: TWO_STEPS, tools: TOOLS, more: { style } });
      const calls = JSON.parse(await textOf(replyToCompose(input))) as unknown;
      expect(calls).toMatchObject([
        { tool_name: "minus", arguments: [{ argument_name: "a", argument_value: 10 }, {}] },
        { tool_name: "times", arguments: [{ argument_value: "$$PREV[0]" }, {}] },
      ]);
    },
  );

  it("writes code that reads as the same plan", async () => {
    const input = composing({ request: TWO_STEPS, tools: TOOLS, more: { style: "code" } });
    const code = await textOf(replyToCompose(input));
    expect(code.split("\n")[1]).toBe("const r1 = times({ a: r0, b: 2 });");
    const tools = TOOLS.map(planTool);
    const typed = await textOf(replyToCompose(composing({ request: TWO_STEPS, tools: TOOLS })));
    expect(readCode(code, tools).plan.steps).toEqual(readPlan(typed, tools).plan.steps);
  });

  it("writes code without calls, and an empty list, if nothing can be done", async () => {
    const asked = { request: "Book a table for two.", tools: TOOLS };
    const code = await textOf(replyToCompose(composing({ ...asked, more: { style: "code" } })));
    expect(readCode(code, TOOLS.map(planTool))).toMatchObject({ plan: { steps: [] }, issues: [] });
    const list = composing({ ...asked, more: { style: "stateAction" } });
    expect(await textOf(replyToCompose(list))).toBe("[]");
  });
});
