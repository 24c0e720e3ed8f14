import { runInNewContext } from "node:vm";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  EXAMPLE_TOOL,
  type WriteToolInput,
  writeToolQuestion,
} from "../../../nodes/editing/writeTool.js";
import { promptOf } from "../../../nodes/kit/question.js";
import { readDraft } from "../../../tools/sources/made/readDraft.js";

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
});
