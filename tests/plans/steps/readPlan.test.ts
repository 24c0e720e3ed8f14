import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import type { PlanTool } from "../../../plans/steps/plan.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { solutionText } from "../../../plans/steps/planText.js";
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

  it("from one call alone, and from arguments that are JSON in a text", () => {
    const call = { name: "find_user", arguments: '{"name":"Ada"}' };
    expect(stepsIn(call)).toEqual(planOf(["find_user", { name: "Ada" }]).steps);
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
    [" $$PREV[12] ", output(12)],
    ["$PREV[1]", output(1)],
    ["${PREV[1].items[2].name}", output(1, "items", 2, "name")],
    ["$$PREV[0][-1]", output(0, -1)],
    ['$$PREV[0]["first name"]', output(0, "first name")],
    ["$$PREV[0]['first name'].x", output(0, "first name", "x")],
    ["$$PREV[2].total. Good.", { $text: [output(2, "total"), ". Good."] }],
    ["${PREV[0]}.pdf", { $text: [output(0), ".pdf"] }],
    ["from $$PREV[0] to $$PREV[1]", { $text: ["from ", output(0), " to ", output(1)] }],
    ["{{steps[1].result}}", output(1, "result")],
    ["{{ PREV[0] }} cm", { $text: [output(0), " cm"] }],
    ["{{$$PREV[0]}}", output(0)],
    ["$$PREV[0]$$ cm", { $text: [output(0), " cm"] }],
    ["$$PREV[0]$$PREV[1]", { $text: [output(0), output(1)] }],
    ["${steps[2].name}", output(2, "name")],
    ["$$STEP[1]", output(1)],
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

describe("a plan whose references are counted from 1", () => {
  it("is read as the plan that is meant, with a note", () => {
    const { plan, repairs } = readPlan(counted(1), planTools);
    expect(plan).toEqual(readPlan(counted(0), planTools).plan);
    expect(repairs).toHaveLength(1);
  });

  it("stays in a plan that writes, if some of them may already be right", () => {
    const plan = counted(1);
    const writing = { tool: "send_message", args: { to: "Ada", text: "$$PREV[1]" } };
    const { repairs } = readPlan({ ...plan, steps: [...plan.steps, writing] }, planTools);
    expect(repairs).toEqual([]);
    const only = { tool: "send_message", args: { to: "$$PREV[1]", text: "Hello" } };
    const certain = { steps: [{ tool: "who_am_i", args: {} }, only], answer: "Sent." };
    expect(readPlan(certain, planTools).plan.steps[1]?.args["to"]).toEqual(output(0));
  });

  it("stays as it is if a step is referred to as 0, or none would fit either way", () => {
    for (const wrong of ["$$PREV[0] and $$PREV[1]", "$$PREV[3]"]) {
      const steps = [
        { tool: "who_am_i", args: {} },
        { tool: "find_user", args: { name: wrong } },
      ];
      expect(readPlan({ steps, answer: "" }, planTools).repairs).toEqual([]);
    }
  });
});

describe("a reference in words", () => {
  it.each([
    ["It is <result of step 0> and [result of step 1].", "It is $$PREV[0] and $$PREV[1]."],
    ["It is [the result of step 2].", "It is $$PREV[1]."],
    ["It is {{step_2.email}} of {{step_1}}.", "It is $$PREV[1].email of $$PREV[0]."],
  ])("is read if only one step can be meant: %s", (written, meant) => {
    expect(answered(written).answer).toBe(meant);
  });

  it("is counted as the other references are", () => {
    const plan = answered("It is [result of step 1].", "$$PREV[0]");
    expect(plan.answer).toBe("It is $$PREV[1].");
  });

  it("is left to the model if two steps can be meant, and is not a text", () => {
    const plan = answered("It is [result of step 1].");
    expect(plan.answer).toBe("It is [result of step 1].");
    const { issues } = verifyPlan({ plan, tools: planTools });
    expect(issues.map(({ kind }) => kind)).toEqual(["answer"]);
  });
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
      "$",
      "{",
      "}",
      "[0]",
      ".",
      "x",
      " ",
      "${PREV[1]}",
      "$$PREV[0].a",
      '["k"]',
      "${$",
      "{{",
      "}}",
      "{{steps[1]}}",
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
      { numRuns: 700 },
    );
  });

  it("can be asked for after any reading", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.json(), fc.string()), (value) => {
        expect(JSON.parse(solutionText(readPlan(value, planTools).plan))).toBeInstanceOf(Array);
      }),
      { numRuns: 1000 },
    );
  });
});

/** A plan whose references are counted from a number. */
function counted(from: 0 | 1) {
  return {
    steps: [
      { tool: "who_am_i", args: {} },
      { tool: "works_list", args: { created_by: [`$$PREV[${from}]`] } },
      { tool: "count_items", args: { items: `$$PREV[${from + 1}]` } },
    ],
    answer: `There are $$PREV[${from + 2}] items.`,
  };
}

/** A plan of two steps with this answer. */
function answered(answer: string, name = "Ada") {
  const steps = [
    { tool: "who_am_i", args: {} },
    { tool: "find_user", args: { name } },
  ];
  return readPlan({ steps, answer }, planTools).plan;
}
