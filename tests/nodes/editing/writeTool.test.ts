import { runInNewContext } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  EXAMPLE_TOOL,
  type WriteToolInput,
  writeTool,
  writeToolQuestion,
} from "../../../nodes/editing/writeTool.js";
import { promptOf } from "../../../nodes/shared/question.js";
import { readDraft } from "../../../tools/made/readDraft.js";

const DISTANCE = {
  name: "distance",
  description: "Distance of two {places}.",
  parameters: {
    type: "object",
    properties: {
      from: { type: "string", description: "Where it begins" },
      to: { type: "string" },
    },
    required: ["from"],
  },
  returns: { type: "number" },
};

function textsOf(more: Partial<WriteToolInput> = {}): string[] {
  const input: WriteToolInput = {
    request: "How far is ${here}?",
    earlierTurns: [],
    task: "Sum of {numbers} for $&",
    similar: [],
    callable: [],
    ...more,
  };
  return promptOf(writeToolQuestion, { input }).messages.map(({ text }) => text);
}

/** What an example call of the tool in the prompt gives, written as an example states it. */
function outcomeOf(call: string): string {
  const { outputText } = ts.transpileModule(EXAMPLE_TOOL, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  const program = outputText.replace("export function", "function");
  try {
    return JSON.stringify(runInNewContext(`${program}\n${call}`));
  } catch {
    // That is what the example may state.
    return "throws";
  }
}

describe("the question for a tool", () => {
  it("has the conversation, the request and the task word for word, and the situation", () => {
    const turn = { role: "user" as const, text: "Hello" };
    const [system, order] = textsOf({ background: "Today is Monday.", earlierTurns: [turn] });
    for (const text of ["User: Hello", "How far is ${here}?", "Sum of {numbers} for $&"]) {
      expect(order).toContain(text);
    }
    expect(system).toMatch(/Today is Monday\.$/);
  });

  it("does not repeat a task that is the request itself", () => {
    const task = "How far is ${here}?";
    expect(textsOf({ task })[1]?.split(task)).toHaveLength(2);
  });

  it.each(["@param", "@returns", "@example", "throws", "export", "snake_case", "no imports"])(
    "speaks of %s",
    (word) => {
      expect(textsOf()[0]).toContain(word);
    },
  );

  it("shows a tool whose own examples come out as it states them", () => {
    const examples = [...EXAMPLE_TOOL.matchAll(/@example (.+) => (.+)/g)];
    expect(examples.length).toBeGreaterThanOrEqual(2);
    for (const [, call = "", stated = ""] of examples) {
      expect({ call, outcome: outcomeOf(call) }).toEqual({ call, outcome: stated });
    }
    expect(textsOf()[0]).toContain(EXAMPLE_TOOL);
  });

  it("shows a tool that passes all checks of drafts", () => {
    const reply = `\`\`\`ts\n${EXAMPLE_TOOL}\n\`\`\``;
    expect(readDraft({ reply, tools: [], reserved: [] })).toMatchObject({ ok: true });
  });

  it("says how other tools are called only if there are any", () => {
    const [system = ""] = textsOf({ callable: [DISTANCE] });
    expect(system).toContain(
      [
        "/** Distance of two {places}. */",
        'function callTool(name: "distance", args: {',
        "  /** Where it begins */",
        "  from: string;",
        "  to?: string;",
        "}): Promise<number>;",
      ].join("\n"),
    );
    expect(system).toContain("@calls");
    expect(textsOf()[0]).not.toMatch(/@calls|callTool/);
  });

  it("offers similar tools instead only if there are any", () => {
    const [system, order] = textsOf({ similar: [DISTANCE] });
    expect(system).toContain("`USE: name`");
    expect(order).toContain(
      "- distance(from: string, to?: string): number: Distance of two {places}.",
    );
    expect(textsOf().join("\n")).not.toContain("USE:");
  });

  it("shows the code of a tool to be changed, whose name and examples stay", () => {
    const current = {
      name: "root",
      code: "export function root() {}",
      examples: ["root(4) => 2", "root(-1) => throws"],
    };
    const [system, order] = textsOf({ current, task: "Allow negative numbers" });
    expect(system).not.toContain("snake_case");
    for (const text of ["tool root", "Allow negative numbers"]) expect(order).toContain(text);
    expect(order).toContain("```ts\nexport function root() {}\n```");
    expect(order).toContain("\n- root(4) => 2\n- root(-1) => throws");
  });

  it("shows the draft that failed with what is wrong with it", () => {
    const failed = {
      draft: "export function f(): string {}",
      problem: "line 1, column 22: no {value}",
    };
    const [, order] = textsOf({ failed });
    expect(order).toContain("```ts\nexport function f(): string {}\n```");
    expect(order).toContain("line 1, column 22: no {value}");
  });

  it("sets off a draft that contains fences", () => {
    const draft = "Here:\n```ts\nlet a = `x`;\n```";
    const [, order] = textsOf({ failed: { draft, problem: "prose" } });
    expect(order).toContain(`\`\`\`\`ts\n${draft}\n\`\`\`\``);
  });

  it("says that a draft was empty", () => {
    expect(textsOf({ failed: { draft: " \n", problem: "no code" } })[1]).toMatch(
      /Your last reply was empty\.[^]*no code/,
    );
  });
});

it("tells in the terminal which draft it writes", () => {
  const { lines } = writeTool();
  expect(lines?.({ change: {}, before: {} })).toEqual(["writes the tool"]);
  const edit = { kind: "create" as const, callId: "", task: "", tool: "", basedOn: null };
  const failed = { ...edit, similar: [], failures: 1, draft: "", problem: "" };
  expect(lines?.({ change: {}, before: { edit: failed } })).toEqual(["writes its second draft"]);
});
