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
    ["a number where a whole one is wanted, which the call will tell", { type: "number" }, whole],
    ["a result that may be null", { type: ["string", "null"] }, text],
    ["a result that may be null, as OpenAPI says it", { ...text, nullable: true }, text],
    ["a text where one of some is wanted", text, { enum: ["a", "b"] }],
    ["one of several types that are allowed", whole, { anyOf: [text, whole] }],
    ["a list of what is wanted", listOf(text), listOf(text)],
    ["anything", {}, listOf(text)],
    [
      "an object with the fields that are wanted",
      { properties: { a: text, b: whole } },
      { properties: { a: text }, required: ["a"] },
    ],
    ["a type that is named elsewhere", { $ref: "#/$defs/A", $defs: { A: text } }, text],
    [
      "fields of several schemas that hold at once",
      { allOf: [{ properties: { a: text } }, { properties: { b: text } }] },
      { properties: { a: text, b: text }, required: ["a", "b"] },
    ],
  ])("is left alone if it is %s", (_, given, wanted) => {
    const fit = fitted({ value: output(0), wanted, given });
    expect(fit).toEqual({ value: output(0), repairs: [], kinds: [], issues: [] });
  });

  it("is put in a list if a list of such outputs is wanted", () => {
    const fit = fitted({ value: output(0), wanted: listOf(text), given: text });
    expect(fit.value).toEqual([output(0)]);
    expect(fit.repairs).toEqual(["step 1: it: a list was put around $$PREV[0]"]);
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

  it("to a list is an issue if one of its items is wanted, unless it has only one", () => {
    const many = fitted({ value: output(0), wanted: text, given: listOf(text) });
    expect(many.kinds).toEqual(["type"]);
    expect(many.issues[0]).toMatchObject({ step: 1, argument: "it" });
    expect(many.issues[0]?.problem).toMatch(
      /each item .*end the plan with step 0.*\[0\]\[0\] is the first/,
    );
    const objects = listOf({ properties: { id: text } });
    const ofObjects = fitted({ value: output(0), wanted: text, given: objects });
    expect(ofObjects.issues[0]?.problem).toContain("each item that is meant needs a step");
    const one = fitted({ value: output(0), wanted: text, given: listOf(text, { maxItems: 1 }) });
    expect(one).toMatchObject({ value: output(0, 0), kinds: [] });
  });

  it("to an object is an issue that names its fields, unless it has only one and that fits", () => {
    const given = { type: "object", properties: { id: text, title: text } };
    const fit = fitted({ value: output(0), wanted: text, given });
    expect(fit.kinds).toEqual(["missing field"]);
    expect(fit.issues[0]?.problem).toContain("an object with id, title");
    const plan = planOf(
      ["current_sprint"],
      ["add_to_sprint", { work_ids: ["A"], sprint_id: output(0) }],
    );
    const { plan: mended, issues } = check(plan);
    expect(mended.steps[1]?.args["sprint_id"]).toEqual(output(0, "sprint_id"));
    expect(issues).toEqual([]);
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
    ["a list of texts is not a list of numbers", listOf(text), listOf(whole)],
    [
      "an object lacks a required field",
      { properties: { a: text } },
      { properties: { b: text }, required: ["b"] },
    ],
    [
      "that both may be null is not enough",
      { type: ["string", "null"] },
      { type: ["number", "null"] },
    ],
  ])("is an issue if %s", (_, given, wanted) => {
    expect(fitted({ value: output(0), wanted, given }).kinds).toEqual(["type"]);
  });

  it("as a field of it that it does not have becomes one to the output itself", () => {
    const plan = {
      ...planOf(
        ["who_am_i"],
        ["find_user", { name: output(0, "result") }],
        ["find_user", { name: output(1, "output", "id") }],
      ),
      answer: "$$PREV[0].value has $$PREV[2].result.email",
    };
    const checked = verifyPlan({ plan, tools: planTools });
    expect(checked.issues).toEqual([]);
    expect(checked.plan.steps[1]?.args).toEqual({ name: output(0) });
    expect(checked.plan.steps[2]?.args).toEqual({ name: output(1, "id") });
    expect(checked.plan.answer).toBe("$$PREV[0] has $$PREV[2].email");
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

  it("in a circle is an issue at the first step that refers forward", () => {
    const plan = planOf(
      ["find_user", { name: output(1, "id") }],
      ["find_user", { name: output(0, "id") }],
    );
    expect(check(plan).issues).toMatchObject([{ step: 0, kind: "forward reference" }]);
  });
});

describe("a literal", () => {
  it.each<[PlanValue, JsonSchema, PlanValue]>([
    ["3", whole, 3],
    ["3.5", { type: "number" }, 3.5],
    [3, text, "3"],
    ["True", { type: "boolean" }, true],
    ["a", listOf(text), ["a"]],
    ["3", listOf(whole), [3]],
    [["a"], text, "a"],
    [[["a", "b"]], listOf(text), ["a", "b"]],
    [["1", 2], listOf(whole), [1, 2]],
    [{ id: 1 }, listOf({ properties: { id: text } }), [{ id: "1" }]],
    [
      { ID: "1", surplus: null },
      { properties: { id: whole }, additionalProperties: false },
      { id: 1 },
    ],
    [{ owner: "Ada" }, { properties: { owned_by: text } }, { owned_by: "Ada" }],
    ["HIGH", { enum: ["low", "high"] }, "high"],
    ["in progres", { enum: ["in_progress", "done"] }, "in_progress"],
    ["2", { enum: [1, 2] }, 2],
    ["3", { anyOf: [{ type: "boolean" }, whole] }, 3],
  ])("%j is mended for %j", (value, wanted, mended) => {
    const fit = fitted({ value, wanted });
    expect(fit).toMatchObject({ value: mended, kinds: [] });
    expect(fit.repairs.length).toBeGreaterThan(0);
  });

  it.each<[PlanValue, JsonSchema]>([
    ["three", whole],
    [3.5, whole],
    ["12345678901234567890", whole],
    ["maybe", { type: "boolean" }],
    [["a", "b"], text],
    [{ id: 1 }, text],
    ["medium", { enum: ["low", "high"] }],
    ["TASK-13", { enum: ["TASK-12"] }],
    ["-3", { enum: [3] }],
    [1.5, { enum: [15] }],
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

  it("object that lacks a required field is an issue that names it", () => {
    const wanted = { properties: { id: text }, required: ["id"] };
    expect(fitted({ value: {}, wanted }).issues[0]).toMatchObject({ kind: "missing argument" });
  });

  it("fits a type that contains itself", () => {
    const wanted = { $ref: "#/$defs/Tree", $defs: {} };
    const tree = { type: "array", items: { $ref: "#/$defs/Tree" } };
    const parameters = {
      type: "object" as const,
      properties: { it: wanted },
      $defs: { Tree: tree },
    };
    const tools: PlanTool[] = [{ id: "plant", effects: "read", parameters }];
    expect(check(planOf(["plant", { it: [[], [[]]] }]), tools).issues).toEqual([]);
    expect(check(planOf(["plant", { it: [["leaf"]] }]), tools).issues).toHaveLength(1);
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

  it.each<[string, PlanValue, string]>([
    ["createdBy", ["Ada"], "created_by"],
    ["creator", ["Ada"], "created_by"],
    ["creators", "Ada", "created_by"],
    ["LIMIT", "3", "limit"],
  ])("%s is taken for the one that it can mean, by name and by type", (name, value, meant) => {
    const { plan, repairs, issues } = check(planOf(["works_list", { [name]: value }]));
    expect(Object.keys(plan.steps[0]?.args ?? {})).toEqual([meant]);
    expect(repairs[0]).toBe(`step 0: unknown argument ${name} was taken for ${meant}`);
    expect(issues).toEqual([]);
  });

  it.each<[string, Record<string, PlanValue>, Record<string, JsonSchema>]>([
    ["means two alike", { user: "Ada" }, { user_id: text, user_name: text }],
    ["is of another type", { owner: { id: 1 } }, { owned_by: listOf(text) }],
    ["is given already", { owner: "Ada", owned_by: "Bob" }, { owned_by: text }],
    ["has another meaning", { owner: "Ada" }, { exclude_owner: text, owner_before: text }],
    ["is a bound", { price: 3 }, { max_price: whole }],
    ["has another number", { x1: 3 }, { x2: whole }],
    ["differs in a short word", { from_y: 3 }, { from_x: whole }],
    ["shares no word", { colour: "red" }, { label: text }],
  ])("stays an issue if the name %s", (_, args, optional) => {
    const plan = planOf(["find", args]);
    const checked = check(plan, [tool({ id: "find", optional })]);
    expect(checked.plan).toEqual(plan);
    expect(checked.issues).toMatchObject([{ kind: "unknown argument" }]);
  });

  it("keep their values if the name of a required one is fixed", () => {
    const tools = [
      tool({ id: "close_issue", effects: "write", required: { issue_id: text } }),
      tool({
        id: "pay",
        effects: "write",
        required: { net_amount: whole },
        optional: { by: text },
      }),
    ];
    const { plan, issues } = check(
      planOf(["close_issue", { id: "ISS-1" }], ["pay", { amount: 3 }]),
      tools,
    );
    expect(plan.steps.map(({ args }) => args)).toEqual([{ issue_id: "ISS-1" }, { net_amount: 3 }]);
    expect(issues).toEqual([]);
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

  it("that are missing and required are an issue", () => {
    expect(check(planOf(["send_message", { to: "Ada" }])).issues).toEqual([
      {
        step: 0,
        argument: "text",
        kind: "missing argument",
        problem: "step 0: text: send_message needs the argument text",
      },
    ]);
  });
});

describe("a tool that is not known", () => {
  it("becomes the one that was certainly meant", () => {
    const { plan, repairs } = check(
      planOf(["WorksList"], ["current_sprnt"], ["set-priority", { work: "A", priority: "low" }]),
    );
    expect(plan.steps.map(({ tool }) => tool)).toEqual([
      "works_list",
      "current_sprint",
      "set_priority",
    ]);
    expect(repairs).toHaveLength(3);
  });

  it("is an issue that names what there is, even if a writing tool has a similar name", () => {
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

  it("stay if another step refers to their missing output", () => {
    const { issues } = check(planOf(["no_tool"], ["find_user", { name: output(0) }]));
    expect(issues).toMatchObject([{ step: 0, kind: "unknown tool" }]);
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

  it("are not merged across a write, if they write themselves, or if merging is turned off", () => {
    const list: [string] = ["works_list"];
    const send: [string, Record<string, PlanValue>] = [
      "send_message",
      { to: "Ada", text: "Hello" },
    ];
    const plan = planOf(list, send, send, list);
    expect(check(plan).plan.steps).toHaveLength(4);
    const twice = planOf(list, list);
    expect(verifyPlan({ plan: twice, tools: planTools, mergeReads: false }).plan).toEqual(twice);
  });
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
