import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanTool } from "../../../plans/steps/plan.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { solutionText } from "../../../plans/steps/references.js";
import { anyValue, output, planOf, planTools, validPlan } from "./planTools.js";

const REPORT_FORM = `[
  { "tool_name": "who_am_i", "arguments": [] },
  { "tool_name": "works_list",
    "arguments": [{ "argument_name": "created_by", "argument_value": ["$$PREV[0]"] }] }
]`;

const reportPlan = planOf(["who_am_i"], ["works_list", { created_by: [output(0)] }]);

function stepsIn(value: unknown, tools: PlanTool[] = planTools) {
  const { plan, issues } = readPlan(value, tools);
  expect(issues).toEqual([]);
  return plan.steps;
}

function argumentIn(value: unknown) {
  return stepsIn([{ tool: "t", args: { value } }])[0]?.args["value"];
}

function problemIn(value: unknown) {
  const { plan, issues } = readPlan(value, planTools);
  expect(plan).toEqual(planOf());
  expect(issues.map(({ kind }) => kind)).toEqual(["unreadable"]);
  return issues[0];
}

describe("a plan is read", () => {
  it("from the report's form, alone, in a fence, between sentences, and as data", () => {
    const texts = [
      REPORT_FORM,
      `\`\`\`json\n${REPORT_FORM}\n\`\`\``,
      `First [0] I ask who {the user} is, or ["nobody"]. So:\n${REPORT_FORM}\nThat is all [1].`,
      JSON.parse(REPORT_FORM),
    ];
    for (const text of texts) expect(stepsIn(text)).toEqual(reportPlan.steps);
  });

  it("with its answer", () => {
    const written = {
      steps: [{ tool: "who_am_i", args: {} }],
      answer: "You are $$PREV[0].",
    };
    expect(readPlan(`Here: ${JSON.stringify(written)}`, planTools)).toEqual({
      plan: {
        steps: [{ tool: "who_am_i", args: {} }],
        answer: "You are $$PREV[0].",
      },
      repairs: [],
      issues: [],
    });
  });

  it("from the last of several that has steps", () => {
    const first = '[{"tool_name":"search_web","arguments":[]}]';
    expect(stepsIn(`Not ${first} but ${REPORT_FORM}, and never [].`)).toEqual(reportPlan.steps);
  });

  it("as empty if the list is", () => {
    expect(stepsIn("[]")).toEqual([]);
    expect(stepsIn("Nothing can do this: []")).toEqual([]);
  });

  it("from the calls of other protocols, under another key, and with a trailing comma", () => {
    const call = { type: "function", function: { name: "find_user", arguments: '{"name":"Ada"}' } };
    const texts = [
      JSON.stringify([call]),
      JSON.stringify({ tool_calls: [call] }),
      `{"plan": {"steps": [{"tool": "functions.find_user", "args": {"name": "Ada",},},],},}`,
      '{"plan": [{"action": "find_user", "action_input": {"name": "Ada"}}]}',
    ];
    for (const text of texts) {
      expect(stepsIn(text)).toEqual(planOf(["find_user", { name: "Ada" }]).steps);
    }
  });

  it("with model names of tools turned into ids, unless two share one", () => {
    const [first, second] = planTools;
    const named = [
      { ...first, id: "a/1", name: "ask" },
      { ...second, id: "b/1", name: "list" },
      { ...second, id: "c/1", name: "list" },
    ] as PlanTool[];
    const steps = stepsIn([{ tool: "ask" }, { tool: "list" }, { tool: "b/1" }], named);
    expect(steps.map(({ tool }) => tool)).toEqual(["a/1", "list", "b/1"]);
  });
});

describe("a reference is read", () => {
  it.each([
    ["$$PREV[0]", output(0)],
    ["$PREV[1]", output(1)],
    ["${PREV[1].items[2].name}", output(1, "items", 2, "name")],
    ['$$PREV[0]["first name"]', output(0, "first name")],
    ["$$PREV[0]['first name'].x", output(0, "first name", "x")],
    ["$$PREV[2].total. Good.", { $text: [output(2, "total"), ". Good."] }],
    ["${PREV[0]}.pdf", { $text: [output(0), ".pdf"] }],
    ["from $$PREV[0] to $$PREV[1]", { $text: ["from ", output(0), " to ", output(1)] }],
    ["{{steps[1].result}}", output(1, "result")],
    ["{{ PREV[0] }} cm", { $text: [output(0), " cm"] }],
    ["$$PREV[0]$$ cm", { $text: [output(0), " cm"] }],
    ["$$PREV[0]$$PREV[1]", { $text: [output(0), output(1)] }],
    ["costs $5 in PREV[0]", "costs $5 in PREV[0]"],
  ])("%s", (written, value) => {
    expect(argumentIn(written)).toEqual(value);
  });

  it("inside lists and objects, and as data", () => {
    expect(argumentIn({ a: [{ b: "$$PREV[1].c" }] })).toEqual({ a: [{ b: output(1, "c") }] });
    expect(argumentIn([{ $prev: 2 }, { $prev: 1, path: ["x"] }])).toEqual([
      output(2),
      output(1, "x"),
    ]);
    expect(argumentIn({ $text: ["for ", { $prev: 1, path: [] }] })).toEqual({
      $text: ["for ", output(1)],
    });
  });
});

function fields(...entries: [field_name: string, field_value: unknown][]) {
  return {
    object_fields: entries.map(([field_name, field_value]) => ({ field_name, field_value })),
  };
}

it("reads objects that are written as lists of their fields, at any depth", () => {
  const value = [fields(["a", fields(["b", "$$PREV[0].id"])], ["c", [fields()]])];
  expect(argumentIn(value)).toEqual([{ a: { b: output(0, "id") }, c: [{}] }]);
  const other = { object_fields: [{ field_name: "a" }] };
  expect(argumentIn(other)).toEqual(other);
});

describe("a text without a plan", () => {
  it("is an issue", () => {
    for (const value of ["I would ask Ada.", "", 3, null, undefined, {}, { steps: "none" }]) {
      expect(problemIn(value)?.problem).toContain("no plan was found");
    }
  });

  it("is an issue if it is truncated, and its beginning is not taken for a plan", () => {
    const cut = REPORT_FORM.slice(0, REPORT_FORM.indexOf("created_by"));
    expect(problemIn(cut)?.problem).toContain("no end");
    expect(problemIn(`Plan: ${cut}`)?.problem).toContain("no end");
  });

  it("is an issue at the step that is not a call, has unnamed arguments, or gives one twice", () => {
    expect(problemIn([{ tool: "a" }, "then stop"])?.step).toBe(1);
    expect(problemIn([{ tool: "a", args: ["x"] }])?.step).toBe(0);
    const twice = { argument_name: "x", argument_value: 1 };
    expect(problemIn([{ tool_name: "a", arguments: [twice, twice] }])).toMatchObject({
      step: 0,
      argument: "x",
    });
  });

  it("is an issue if an argument is nested endlessly or is not JSON", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(problemIn([{ tool: "a", args: { x: circle } }])?.argument).toBe("x");
    expect(problemIn([{ tool: "a", args: { x: Number.NaN } }])?.argument).toBe("x");
    expect(
      problemIn(`[{"tool":"a","args":{"x":${"[".repeat(9000)}${"]".repeat(9000)}}}]`)?.step,
    ).toBe(0);
  });
});

describe("the text of a solution", () => {
  it("has the report's form, names sorted, and is [] for no step", () => {
    expect(solutionText(planOf())).toBe("[]");
    const plan = planOf(["share", { whole: 4, part: output(0, "x", 1) }]);
    expect(solutionText(plan)).toBe(
      '[{"tool_name":"share","arguments":[{"argument_name":"part","argument_value":"$$PREV[0].x[1]"},{"argument_name":"whole","argument_value":4}]}]',
    );
  });

  it("reads back as the plan that it was written from", () => {
    fc.assert(
      fc.property(validPlan, ({ steps }) => {
        expect(stepsIn(solutionText({ steps }))).toEqual(steps);
      }),
    );
  });

  it("is the same after reading and writing, for any arguments", () => {
    const pieces = fc.constantFrom(
      " ",
      ...`$ { } [0] . x \${PREV[1]} $$PREV[0].a ["k"] \${$ {{ }} {{steps[1]}}`.split(" "),
    );
    const value = fc.oneof(
      anyValue,
      fc.array(pieces, { maxLength: 7 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), (args) => {
        const written = solutionText(readPlan([{ tool: "t", args }], []).plan);
        expect(solutionText(readPlan(written, []).plan)).toBe(written);
      }),
      { numRuns: 300 },
    );
  });
});
