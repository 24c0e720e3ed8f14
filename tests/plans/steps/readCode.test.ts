import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeText } from "../../../plans/steps/references.js";
import type { PlanReference, PlanStep } from "../../../plans/steps/plan.js";
import { readCode } from "../../../plans/steps/readCode.js";
import { output, planOf, planTools, tool, validPlan } from "./planTools.js";

/** The steps of code that can be read. */
function stepsOf(code: string, tools = planTools): PlanStep[] {
  const { plan, issues } = readCode(code, tools);
  expect(issues).toEqual([]);
  return plan.steps;
}

/** What is wrong with code that cannot. */
function problemOf(code: string): string | undefined {
  const { plan, issues } = readCode(code, planTools);
  expect(plan.steps).toEqual([]);
  expect(issues).toHaveLength(1);
  expect(issues[0]?.kind).toBe("unreadable");
  return issues[0]?.problem;
}

describe("a plan in code", () => {
  it("becomes its calls, with variables as references", () => {
    const code = [
      "const me = await who_am_i();",
      "let works = works_list({ created_by: [me], limit: -3, open: true });",
      'works = count_items({ items: works, "note": null });',
      "var user = find_user({ name: me });",
      'send_message({ to: user.team?.members[0], text: `${me} has ${works} of ${"all"}: ${user["e-mail"]}` });',
    ].join("\n");
    expect(stepsOf(code)).toEqual(
      planOf(
        ["who_am_i"],
        ["works_list", { created_by: [output(0)], limit: -3, open: true }],
        ["count_items", { items: output(1), note: null }],
        ["find_user", { name: output(0) }],
        [
          "send_message",
          {
            to: output(3, "team", "members", 0),
            text: {
              $text: [
                output(0) as PlanReference,
                " has ",
                output(2) as PlanReference,
                " of all: ",
                output(3, "e-mail") as PlanReference,
              ],
            },
          },
        ],
      ).steps,
    );
  });

  it("turns nested calls into separate steps, before those around them", () => {
    expect(stepsOf("share(count_items(works_list()), 3)")).toEqual(
      planOf(
        ["works_list"],
        ["count_items", { items: output(0) }],
        ["share", { part: output(1), whole: 3 }],
      ).steps,
    );
  });

  it.each([
    ["in one object", "share({ whole: 2, part: 1 })"],
    ["with types that say nothing here", "share((1 as number)!, 2 satisfies number)"],
  ])("takes arguments %s", (_, code) => {
    expect(stepsOf(code)).toEqual([{ tool: "share", args: { part: 1, whole: 2 } }]);
  });

  it("knows tools whose names are no names in code", () => {
    const named = {
      ...tool({ id: "file#get-item", required: { id: { type: "string" } } }),
      name: "get-item",
    };
    const deleted = tool({ id: "delete" });
    const tools = [named, deleted, tool({ id: "get_item" })];
    const code = 'get_item_2({ id: "a" }); _delete(); get_item();';
    expect(stepsOf(code, tools).map((step) => step.tool)).toEqual([
      "file#get-item",
      "delete",
      "get_item",
    ]);
  });

  it("takes values out of data that is written out, and the last of a list", () => {
    const code =
      'const all = ["a", { b: "c" }]; find_user({ name: all[1].b }); summarize(works_list().at(-1))';
    expect(stepsOf(code)).toEqual(
      planOf(
        ["find_user", { name: "c" }],
        ["works_list"],
        ["summarize", { objects: output(1, -1) }],
      ).steps,
    );
  });

  it.each([
    ["arithmetic", "share(2 * (3 + 4) - 10 / 4, 2 ** 3 % 5)", { part: 11.5, whole: 3 }],
    ["a place in a list", 'const all = ["a", 7]; share(all[2 - 1], 1)', { part: 7, whole: 1 }],
  ])("works out operators of known values: %s", (_, code, args) => {
    expect(stepsOf(code)).toEqual([{ tool: "share", args }]);
  });

  it("puts texts and results together as one text", () => {
    const code = 'const me = who_am_i(); send_message({ to: me, text: "Hi " + me + ", " + 3 + 4 })';
    expect(stepsOf(code)[1]).toEqual({
      tool: "send_message",
      args: { to: output(0), text: { $text: ["Hi ", output(0), ", 34"] } },
    });
  });

  it.each([
    ["a fence", "It is simple:\n```ts\nwho_am_i();\n```\nDone."],
    ["the last fence", "```\nworks_list();\n```\nor rather\n```typescript\nwho_am_i();\n```"],
    ["bare text with comments", "// who\nwho_am_i(); // me"],
  ])("is found in %s", (_, text) => {
    expect(stepsOf(text)).toEqual([{ tool: "who_am_i", args: {} }]);
  });

  it.each(["```ts\n// none of them does it\n```", "[]", "return null;", "```\n```"])(
    "is empty if nothing can be done: %j",
    (text) => {
      expect(stepsOf(text)).toEqual([]);
    },
  );

  it.each(["const a = who_am_i();\na", "return find_user({ name: who_am_i() }).id;"])(
    "may end with what it comes to, of which only the calls are taken: %j",
    (code) => {
      expect(stepsOf(code)[0]).toEqual({ tool: "who_am_i", args: {} });
      expect(readCode(code, planTools).plan.answer).toBe("");
    },
  );

  it("is read back unchanged", () => {
    fc.assert(
      fc.property(validPlan, ({ steps }) => {
        expect(readCode(codeText({ steps }), planTools).plan.steps).toEqual(steps);
      }),
      { numRuns: 40 },
    );
  });
});

describe("code that is not a plan", () => {
  it.each([
    ["an operator on a result", "share(count_items([]) + 1, 2)", /not allowed/],
    ["a loop", "for (const work of works_list()) summarize(work);", /^line 1: "for \(const work/],
    ["a condition", "who_am_i();\nif (true) who_am_i();", /^line 2: "if \(true\)/],
    ["a choice", "summarize(who_am_i() ? [] : [])", /not allowed/],
    ["a function", "const plan = () => who_am_i();", /\(\) => who_am_i\(\)/],
    ["arithmetic that gives no number", "share(2 / 0, 2)", /share\(2 \/ 0, 2\)" is not allowed/],
    ["a method", "summarize(works_list().map(String))", /not allowed/],
    ["a spread list", "summarize([...works_list()])", /not allowed/],
    ["a computed key", "find_user({ [who_am_i()]: 1 })", /not allowed/],
    ["a name that stands for nothing", "find_user(me)", /"me" is not defined/],
    ["a hole in a list", "summarize([undefined])", /holds undefined/],
    ["a part that data lacks", "const one = [1]; share(one[1], 1)", /not allowed/],
    ["another form of plan", '[{ "tool_name": "who_am_i", "arguments": [] }]', /not allowed/],
    ["prose", "I cannot do that with these tools.", /^line 1: this is not TypeScript/],
    ["broken code", "who_am_i();\nconst a = find_user({", /^line 2: this is not TypeScript/],
  ])("is told what is allowed: %s", (_, code, problem) => {
    expect(problemOf(code)).toMatch(problem);
  });

  it("never runs", () => {
    const name = "tulipgraphCodeHasRun";
    problemOf(`globalThis.${name} = true;`);
    problemOf(`who_am_i(globalThis.${name} = true);`);
    expect(globalThis).not.toHaveProperty(name);
  });

  it.each([
    ["lists in lists", `summarize(${"[".repeat(200)}${"]".repeat(200)})`],
    [
      "data that doubles with every line",
      [
        "const v0 = [1];",
        ...Array.from({ length: 40 }, (_, at) => `const v${at + 1} = [v${at}, v${at}];`),
      ].join("\n"),
    ],
    [
      "texts that double with every line",
      [
        'const v0 = "a";',
        ...Array.from({ length: 60 }, (_, at) => `const v${at + 1} = v${at} + v${at};`),
      ].join("\n"),
    ],
  ])("cannot exhaust the reader with %s", (_, code) => {
    expect(problemOf(code)).toMatch(/nested|are the most/);
  });
});
