import { runInNewContext } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import type { WriteToolInput } from "../../../nodes/shared/stageInputs.js";
import { EXAMPLE_TOOL, writeToolPrompt } from "../../../nodes/editing/writeToolPrompt.js";
import { readDraft } from "../../../tools/generated/readDraft.js";

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

function input(more: Partial<WriteToolInput> = {}): WriteToolInput {
  return {
    request: "How far is ${here}?",
    earlierTurns: [],
    task: "Sum of {numbers} for $&",
    similar: [],
    callable: [],
    ...more,
  };
}

function textsOf(more: Partial<WriteToolInput> = {}, problem?: string): string[] {
  return writeToolPrompt(input(more), problem).messages.map(({ text }) => text);
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

describe("the prompt of writeTool", () => {
  it("has the rules, then the task in its very words, and wants plain text", () => {
    const prompt = writeToolPrompt(input());
    expect(prompt).toMatchObject({ stage: "writeTool", input: input() });
    expect(prompt.schema).toBeUndefined();
    expect(prompt.messages.map(({ type }) => type)).toEqual(["system", "human"]);
    expect(prompt.messages[1]?.text).toBe(
      "The request as a whole, for which the tool is needed: How far is ${here}?\n\nWrite a tool for this: Sum of {numbers} for $&",
    );
  });

  it("does not say a task twice that is the request itself", () => {
    const task = "How far is ${here}?";
    expect(textsOf({ task })[1]).toBe(`Write a tool for this: ${task}`);
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

  it("shows a tool that is a good draft by all checks", () => {
    const reply = `\`\`\`ts\n${EXAMPLE_TOOL}\n\`\`\``;
    expect(readDraft({ reply, tools: [], reserved: [] })).toMatchObject({ ok: true });
  });

  it("says how other tools are called only where there are any", () => {
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

  it("offers similar tools instead only where there are any", () => {
    const [system, order] = textsOf({ similar: [DISTANCE] });
    expect(system).toContain("reply with the one line `USE: name`");
    expect(order).toContain(
      "they may or may not do it:\n- distance(from: string, to?: string): number: Distance of two {places}.",
    );
    expect(textsOf().join("\n")).not.toContain("USE:");
  });

  it("shows the code of a tool that is to be changed, whose name and examples stay", () => {
    const current = {
      name: "root",
      code: "export function root() {}",
      examples: ["root(4) => 2", "root(-1) => throws"],
    };
    const [system, order] = textsOf({ current, task: "Allow negative numbers" });
    expect(system).toContain("Its name stays");
    expect(system).not.toContain("snake_case");
    expect(order).toContain("Change the tool root as follows: Allow negative numbers");
    expect(order).toContain("```ts\nexport function root() {}\n```");
    expect(order).toContain("asks for another one:\n- root(4) => 2\n- root(-1) => throws");
  });

  it("shows the draft that failed with what is wrong with it, and wants the whole function", () => {
    const failed = {
      draft: "export function f(): string {}",
      problem: "line 1, column 22: no {value}",
    };
    const texts = textsOf({ failed });
    expect(texts).toHaveLength(3);
    expect(texts[2]).toContain("```ts\nexport function f(): string {}\n```");
    expect(texts[2]).toContain("line 1, column 22: no {value}");
    expect(texts[2]).toMatch(/reply with the whole function\.$/);
  });

  it("keeps a draft apart that has fences of its own", () => {
    const draft = "Here:\n```ts\nlet a = `x`;\n```";
    const [, , text] = textsOf({ failed: { draft, problem: "prose" } });
    expect(text).toContain(`\`\`\`\`ts\n${draft}\n\`\`\`\``);
  });

  it("says that a draft was empty", () => {
    expect(textsOf({ failed: { draft: " \n", problem: "no code" } })[2]).toMatch(
      /^Your last reply was empty\.[^]*no code/,
    );
  });

  it("ends with the problem of the last reply, tells the situation, and the conversation first", () => {
    const texts = textsOf(
      { background: "Today is Monday.", earlierTurns: [{ role: "user", text: "Hello" }] },
      "That was nothing.",
    );
    expect(texts[0]).toMatch(/Today is Monday\.$/);
    expect(texts[1]).toMatch(/^The conversation so far:\nUser: Hello\n\n/);
    expect(texts.at(-1)).toBe("That was nothing.");
  });
});
