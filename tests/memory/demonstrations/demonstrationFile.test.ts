import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DEMONSTRATION_LINES } from "../../../memory/demonstrations/demonstrationFile.js";
import { importLines as importFile } from "../../../memory/jsonLinesFile.js";
import { openStore, temporaryHome } from "../support.js";
import { callOf } from "./support.js";

const LINE = { task: "add two numbers", calls: [{ tool: "add", args: { a: 1, b: 2 } }] };

/** Writes a file with these lines (strings unchanged, others as JSON) and imports it. */
async function importLines(
  lines: readonly (string | object)[],
  options: { library?: string; tools?: string[] } = { library: "math" },
) {
  const { demonstrations: store } = openStore();
  const file = join(temporaryHome(), "demos.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n"));
  const { library, tools } = options;
  const known = tools && { tools: async () => new Set(tools) };
  return {
    store,
    report: await importFile({
      kind: DEMONSTRATION_LINES,
      store,
      file,
      library,
      ...known,
    }),
  };
}

describe("importing demonstrations", () => {
  it("takes lines that say the least", async () => {
    const { store, report } = await importLines([LINE]);
    expect(report).toMatchObject({ added: 1, known: 0, rejected: 0 });
    expect(await store.list()).toEqual([
      { ...LINE, library: "math", level: "subtask", source: "file", at: expect.any(Number) },
    ]);
  });

  it("counts the lines that it cannot use, and lists their numbers", async () => {
    const twoCalls = { ...LINE, level: "tool", calls: [callOf("add"), callOf("add")] };
    const { store, report } = await importLines([
      LINE,
      "{",
      { ...LINE, task: " " },
      { ...LINE, task: undefined },
      { ...LINE, calls: [] },
      { ...LINE, calls: [{ tool: "add", args: [1] }] },
      { ...LINE, level: "step" },
      twoCalls,
      "",
      { ...LINE, task: "add more numbers" },
    ]);
    expect(await store.list()).toHaveLength(2);
    expect(report).toMatchObject({ added: 2, rejected: 7 });
    expect(report.problems).toEqual([
      { line: 2, problem: expect.stringMatching(/^is not JSON/) },
      { line: 3, problem: '"task": is empty' },
      { line: 4, problem: 'has no "task"' },
      { line: 5, problem: '"calls": is empty' },
      { line: 6, problem: '"calls.0.args": is not a JSON object' },
      { line: 7, problem: expect.stringMatching(/^"level": /) },
      { line: 8, problem: '"calls": the level "tool" takes one, but there are 2' },
    ]);
  });
});
