import { describe, expect, it } from "vitest";
import { verifyPlan } from "../../../plans/steps/verifyPlan.js";
import type { Plan, PlanTool, PlanValue } from "../../../plans/steps/plan.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { output, planOf, planTools, tool } from "./planTools.js";

function check(plan: Plan, tools: PlanTool[] = planTools) {
  return verifyPlan({ plan, tools });
}

/** What becomes of an argument of this schema, after a step with an output of the other. */
function fitted(options: { value: PlanValue; wanted: JsonSchema; given?: JsonSchema }) {
  const { value, wanted, given } = options;
  const tools = [
    tool({ id: "source", returns: given }),
    tool({ id: "target", required: { it: wanted } }),
  ];
  const plan = planOf(["source"], ["target", { it: value }]);
  const { plan: checked, repairs, issues } = check(plan, tools);
  return {
    value: checked.steps[1]?.args["it"],
    repairs,
    kinds: issues.map(({ kind }) => kind),
    issues,
  };
}

/** What is wrong with an argument that may be anything. */
function kindsOf(value: PlanValue) {
  return fitted({ value, wanted: {} }).kinds;
}

const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };
const listOf = (items: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: "array",
  items,
  ...more,
});

describe("a reference to an output", () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ["the same type", text, text],
    ["a text where one of some is wanted", text, { enum: ["a", "b"] }],
    [
      "an object with the fields that are wanted",
      { properties: { a: text, b: whole } },
      { properties: { a: text }, required: ["a"] },
    ],
    ["a type that is named elsewhere", { $ref: "#/$defs/A", $defs: { A: text } }, text],
  ])("is left alone if it is %s", (_, given, wanted) => {
    const fit = fitted({ value: output(0), wanted, given });
    expect(fit).toEqual({ value: output(0), repairs: [], kinds: [], issues: [] });
  });

  it("is put in a list if a list of such outputs is wanted", () => {
    const fit = fitted({ value: output(0), wanted: listOf(text), given: text });
    expect(fit.value).toEqual([output(0)]);
    expect(fit.repairs).toEqual(["step 1: it: a list was put around it"]);
    expect(fit.kinds).toEqual([]);
  });

  it("is taken out of a list if it is the wanted list itself", () => {
    for (const wanted of [listOf(text), { type: "array" }]) {
      const fit = fitted({ value: [output(0)], wanted, given: listOf(text) });
      expect(fit.value).toEqual(output(0));
      expect(fit.repairs).toHaveLength(1);
    }
  });

  it("stays in its list if a list of lists is wanted or its type is unknown", () => {
    const lists = fitted({ value: [output(0)], wanted: listOf(listOf(text)), given: listOf(text) });
    expect(lists.value).toEqual([output(0)]);
    expect(fitted({ value: [output(0)], wanted: listOf(text) }).value).toEqual([output(0)]);
  });

  it("to a number becomes a text if a text is wanted", () => {
    const fit = fitted({ value: output(0), wanted: text, given: whole });
    expect(fit).toMatchObject({ value: { $text: [output(0)] }, kinds: [] });
    const inList = fitted({ value: output(0), wanted: listOf(text), given: whole });
    expect(inList).toMatchObject({ value: [{ $text: [output(0)] }], kinds: [] });
  });

  it.each<[string, JsonSchema, JsonSchema]>([
    ["a text is not a number", text, whole],
    ["values that are none of those allowed", { enum: ["x"] }, { enum: ["a", "b"] }],
    [
      "an object lacks a required field",
      { properties: { a: text } },
      { properties: { b: text }, required: ["b"] },
    ],
  ])("is an issue if %s", (_, given, wanted) => {
    expect(fitted({ value: output(0), wanted, given }).kinds).toEqual(["type"]);
  });

  it("follows fields, list positions and named types", () => {
    const members = output(0, "team", "members");
    const plan = planOf(
      ["find_user", { name: "Ada" }],
      ["works_list", { created_by: members }],
      ["find_user", { name: output(0, "team", "members", -1) }],
    );
    expect(check(plan)).toEqual({ plan, repairs: [], issues: [] });
  });

  it("to a field that is not there is an issue with those that are", () => {
    const plan = planOf(["find_user", { name: "Ada" }], ["find_user", { name: output(0, "boss") }]);
    expect(check(plan).issues).toEqual([
      {
        step: 1,
        argument: "name",
        kind: "missing field",
        problem:
          'step 1: name: $$PREV[0].boss: there is no "boss" in an object with id, email, team',
      },
    ]);
  });

  it("to the step itself, to a later one or to none is an issue, also deep inside and in texts", () => {
    expect(kindsOf(output(1))).toEqual(["forward reference"]);
    expect(kindsOf([{ a: output(1) }])).toEqual(["forward reference"]);
    expect(kindsOf({ $text: ["x", output(7)] as never })).toEqual(["missing step"]);
    expect(kindsOf("x $$PREV[last]")).toEqual(["unreadable"]);
  });
});

describe("a literal", () => {
  it.each<[PlanValue, JsonSchema, PlanValue]>([
    ["3", whole, 3],
    [3, text, "3"],
    ["True", { type: "boolean" }, true],
    ["a", listOf(text), ["a"]],
    ["3", listOf(whole), [3]],
    [["a"], text, "a"],
    [{ id: 1 }, listOf({ properties: { id: text } }), [{ id: "1" }]],
    [
      { ID: "1", surplus: null },
      { properties: { id: whole }, additionalProperties: false },
      { id: 1 },
    ],
    ["HIGH", { enum: ["low", "high"] }, "high"],
    ["in progres", { enum: ["in_progress", "done"] }, "in_progress"],
    ["3", { anyOf: [{ type: "boolean" }, whole] }, 3],
  ])("%j is mended for %j", (value, wanted, mended) => {
    const fit = fitted({ value, wanted });
    expect(fit).toMatchObject({ value: mended, kinds: [] });
    expect(fit.repairs.length).toBeGreaterThan(0);
  });

  it.each<[PlanValue, JsonSchema]>([
    ["three", whole],
    [3.5, whole],
    [["a", "b"], text],
    [{ id: 1 }, text],
    ["medium", { enum: ["low", "high"] }],
    ["exclude_labels", { enum: ["include_labels"] }],
    [null, text],
  ])("%j is an issue for %j", (value, wanted) => {
    const fit = fitted({ value, wanted });
    expect(fit).toMatchObject({ value, repairs: [], kinds: ["type"] });
  });

  it("field that its object does not have is an issue, unless the object takes others", () => {
    const value = { id: "1", surplus: 2 };
    const closed = { properties: { id: text }, additionalProperties: false };
    const refused = fitted({ value, wanted: closed });
    expect(refused).toMatchObject({ value, kinds: ["unknown argument"] });
    expect(refused.issues[0]?.problem).toMatch(/surplus.*the fields are id/);
    for (const more of [{}, { additionalProperties: true }, { patternProperties: { "^s": {} } }]) {
      const open = fitted({ value, wanted: { properties: { id: text }, ...more } });
      expect(open).toMatchObject({ value, repairs: [], kinds: [] });
    }
  });
});

describe("the arguments of a call", () => {
  it("that its tool does not have are an issue that names those that it has", () => {
    const plan = planOf(["works_list", { colour: "red" }], ["who_am_i", { colour: "red" }]);
    const checked = check(plan);
    expect(checked.plan).toEqual(plan);
    expect(checked.issues).toMatchObject([
      { step: 0, argument: "colour", kind: "unknown argument" },
      { step: 1, argument: "colour", kind: "unknown argument" },
    ]);
    expect(checked.issues[0]?.problem).toContain("it takes created_by, limit, open");
    expect(checked.issues[1]?.problem).toContain("it takes none");
  });

  it.each<[string, PlanValue, string]>([["createdBy", ["Ada"], "created_by"]])(
    "%s is taken for the one that it can mean, by name and by type",
    (name, value, meant) => {
      const { plan, repairs, issues } = check(planOf(["works_list", { [name]: value }]));
      expect(Object.keys(plan.steps[0]?.args ?? {})).toEqual([meant]);
      expect(repairs[0]).toBe(`step 0: unknown argument ${name} was taken for ${meant}`);
      expect(issues).toEqual([]);
    },
  );

  it.each<[string, Record<string, PlanValue>, Record<string, JsonSchema>]>([
    ["is of another type", { owner: { id: 1 } }, { owned_by: listOf(text) }],
    ["is given already", { owner: "Ada", owned_by: "Bob" }, { owned_by: text }],
    ["differs in a short word", { from_y: 3 }, { from_x: whole }],
  ])("stays an issue if the name %s", (_, args, optional) => {
    const plan = planOf(["find", args]);
    const checked = check(plan, [tool({ id: "find", optional })]);
    expect(checked.plan).toEqual(plan);
    expect(checked.issues).toMatchObject([{ kind: "unknown argument" }]);
  });

  it("are all kept for a tool that accepts them, and refused by one that does not say", () => {
    const properties = { owned_by: text };
    const kindsWith = (more: JsonSchema) => {
      const parameters = { type: "object" as const, properties, ...more };
      const plan = planOf(["find", { label: "x" }]);
      const checked = check(plan, [{ id: "find", effects: "read", parameters }]);
      expect(checked.plan).toEqual(plan);
      return checked.issues.map(({ kind }) => kind);
    };
    expect(kindsWith({ additionalProperties: true })).toEqual([]);
    expect(kindsWith({ patternProperties: { "^l": text } })).toEqual([]);
    expect(kindsWith({ allOf: [{ properties: { label: text } }] })).toEqual([]);
    expect(kindsWith({})).toEqual(["unknown argument"]);
  });

  it("that are null are dropped if they are optional", () => {
    const { plan, issues } = check(planOf(["works_list", { limit: null, colour: null }]));
    expect(plan.steps[0]?.args).toEqual({});
    expect(issues).toEqual([]);
  });
});

describe("a tool that is not known", () => {
  it("becomes the one that was certainly meant", () => {
    const { plan, repairs } = check(
      planOf(["WorksList"], ["set-priority", { work: "A", priority: "low" }]),
    );
    expect(plan.steps.map(({ tool }) => tool)).toEqual(["works_list", "set_priority"]);
    expect(repairs).toHaveLength(2);
  });

  it("is an issue that names what there is", () => {
    const { plan, issues } = check(planOf(["fly"], ["send_mesage", { to: "Ada", text: "Hello" }]));
    expect(plan.steps.map(({ tool }) => tool)).toEqual(["fly", "send_mesage"]);
    expect(issues).toMatchObject([
      { step: 0, kind: "unknown tool" },
      { step: 1, kind: "unknown tool" },
    ]);
    expect(issues[1]?.problem).toContain('did you mean "send_message"?');
  });
});

describe("steps that are not needed", () => {
  it("as they have no tool are dropped, and references renumbered, in the answer as well", () => {
    const plan = planOf(
      ["no_tool"],
      ["who_am_i"],
      ["no_tool", { x: output(0) }],
      ["find_user", { name: output(1) }],
    );
    const { plan: mended, issues } = check({ ...plan, answer: "$$PREV[1] is $$PREV[3].id." });
    expect(mended.steps).toEqual(planOf(["who_am_i"], ["find_user", { name: output(0) }]).steps);
    expect(mended.answer).toBe("$$PREV[0] is $$PREV[1].id.");
    expect(issues).toEqual([]);
  });

  it("as they read the same are merged, and so are those that then become equal", () => {
    const plan = planOf(
      ["who_am_i"],
      ["who_am_i"],
      ["find_user", { name: output(0) }],
      ["find_user", { name: output(1) }],
      ["send_message", { to: output(3, "id"), text: "Hello" }],
    );
    const { plan: merged } = check({ ...plan, answer: "Sent to $$PREV[3].email" });
    expect(merged).toEqual({
      ...planOf(
        ["who_am_i"],
        ["find_user", { name: output(0) }],
        ["send_message", { to: output(1, "id"), text: "Hello" }],
      ),
      answer: "Sent to $$PREV[1].email",
    });
  });
});

it("merges no reads across a write, no writes, and nothing if that is turned off", () => {
  const list: [string] = ["works_list"];
  const send: [string, Record<string, PlanValue>] = ["send_message", { to: "Ada", text: "Hello" }];
  expect(check(planOf(list, send, send, list)).plan.steps).toHaveLength(4);
  const plan = planOf(list, list);
  expect(verifyPlan({ plan, tools: planTools, mergeReads: false }).plan).toEqual(plan);
});

describe("an answer", () => {
  it.each([
    ["$$PREV[3]", "refers to no step"],
    ["By $$PREV[0].age", 'no "age"'],
    ["By $$PREV[who]", "cannot be read"],
  ])("%s that refers to nothing is an issue", (answer, problem) => {
    const { issues } = check({ ...planOf(["find_user", { name: "Ada" }]), answer });
    expect(issues).toMatchObject([{ kind: "answer" }]);
    expect(issues[0]?.problem).toContain(problem);
  });
});
