import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import ts from "typescript";
import { functionLines, type ComposeStyle } from "../../../nodes/planning/planForms.js";
import { type ComposeInput, composeQuestion } from "../../../nodes/planning/compose.js";
import { composeStepsQuestion } from "../../../nodes/planning/composeSteps.js";
import { outlineQuestion } from "../../../nodes/planning/writeOutline.js";
import { promptOf } from "../../../nodes/kit/question.js";
import type { OfferedTool } from "../../../nodes/kit/stageInputs.js";
import { strictFaults } from "../policy/strictSchema.js";

const REQUEST = "Put ${that} into my {sprint}, please";

const tools: OfferedTool[] = [
  {
    name: "find-item",
    description: "Find an item.\nBy its name. */",
    parameters: {
      type: "object",
      properties: { name: { type: "string", description: "What it is called" } },
      required: ["name"],
    },
    returns: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
  {
    name: "add",
    description: "Add items to a sprint.",
    parameters: {
      type: "object",
      properties: { items: { type: "array", items: { type: "string" } }, sprint: {} },
    },
  },
  { name: "who", description: "Who asks.", parameters: { type: "object" } },
];

function input(style: ComposeStyle, more: Partial<ComposeInput> = {}): ComposeInput {
  const known = { request: REQUEST, earlierTurns: [], tools, demonstrations: [], missed: [] };
  return { style, ...known, ...more };
}

function asked(style: ComposeStyle, more: Partial<ComposeInput> = {}, problem?: string) {
  return promptOf(composeQuestion, { input: input(style, more), problem });
}

describe("the ways in which a plan is asked for", () => {
  it("shows tools as functions in valid TypeScript, by names that code can have", () => {
    const code = functionLines(tools);
    expect(code).toContain("function find_item(args: { name: string }): { id: string };");
    expect(code).toContain("// - name: What it is called");
    expect(code).toContain("function who(): unknown;");
    const declared = code.replaceAll(/^function/gm, "declare function");
    const options = { reportDiagnostics: true };
    expect(ts.transpileModule(declared, options).diagnostics).toEqual([]);
    const { statements } = ts.createSourceFile("a.ts", declared, ts.ScriptTarget.Latest);
    expect(statements.map(ts.isFunctionDeclaration)).toEqual([true, true, true]);
  });
});

describe("the enforced form", () => {
  const prompts = {
    compose: asked("enforced"),
    outline: promptOf(outlineQuestion, {
      input: { request: REQUEST, earlierTurns: [], tools, demonstrations: [] },
    }),
    composeSteps: promptOf(composeStepsQuestion, {
      input: {
        request: REQUEST,
        earlierTurns: [],
        tasks: [{ thought: "", tool: "who", task: "Find out who asks" }],
        tools: tools.slice(2),
      },
    }),
  };

  it.each(Object.entries(prompts))("is accepted by OpenAI as strict: %s", (_, { schema }) => {
    expect(strictFaults(schema ?? {})).toEqual([]);
  });

  const isValid = new Ajv().compile(prompts.compose.schema ?? {});
  it.each([
    "$$PREV[0].id",
    3,
    null,
    ["a", ["b"]],
    { object_fields: [{ field_name: "a", field_value: [1] }] },
  ])("allows the value %j", (value) => {
    expect(isValid(replyWith("add", "items", value))).toBe(true);
  });

  it("allows only the offered tools and arguments", () => {
    expect(isValid(replyWith("find-item", "name", "x"))).toBe(true);
    expect(isValid(replyWith("find_item", "name", "x"))).toBe(false);
    expect(isValid(replyWith("find-item", "title", "x"))).toBe(false);
    expect(isValid({ thought: "", steps: [] })).toBe(true);
  });
});

/** A plan of one call with one argument, as it is replied. */
function replyWith(tool_name: string, argument_name: string, argument_value: unknown) {
  return {
    thought: "",
    steps: [{ tool_name, arguments: [{ argument_name, argument_value }] }],
  };
}
