import { describe, expect, it } from "vitest";
import type { Program } from "../../../../plans/language/program.js";
import { readProgram } from "../../../../plans/language/readProgram.js";
import { checkProgramTypes } from "../../../../tools/calls/compiler/programs.js";
import { CHECKED } from "../../../plans/language/checkedFunctions.js";

const WRONG = "const [item] = await get_items({ ids: ['a'] });\nreturn item.owner;";

function programOf(code: string): Program {
  const read = readProgram(code);
  if ("issues" in read) throw new Error(JSON.stringify(read.issues));
  return read.program;
}

/** Nested alternatives, each of which the compiler must compare with all others. */
function manifold(): Record<string, unknown> {
  return { allOf: Array.from({ length: 6 }, (_, of) => alternatives(of)) };
}

function alternatives(of: number): Record<string, unknown> {
  const options = Array.from({ length: 30 }, (_, at) => ({
    type: "object",
    properties: { [`f${of}`]: { const: at }, [`g${of}`]: { enum: [at, at + 1] } },
    required: [`f${of}`],
  }));
  return { anyOf: options };
}

describe("The types of a program", () => {
  it("are checked against the tools that it calls, and reported with their lines", async () => {
    const issues = await checkProgramTypes({ program: programOf(WRONG), functions: CHECKED });
    expect(issues).toMatchObject([{ line: 2, kind: "type" }]);
    const right = programOf(WRONG.replace("owner", "title"));
    expect(await checkProgramTypes({ program: right, functions: CHECKED })).toEqual([]);
  }, 120_000);

  it("are checked within a time limit for any schemas, and the next ones still are", async () => {
    const name = "raw";
    const parameters = { type: "object", properties: { a: manifold() } };
    const program = programOf("await raw({ a: await raw({}) });\nreturn (await raw({})).x;");
    const functions = [{ name, parameters, returns: manifold() }];
    await checkProgramTypes({ program, functions, timeoutMs: 2_000 });
    const [issue] = await checkProgramTypes({ program: programOf(WRONG), functions: CHECKED });
    expect(issue).toMatchObject({ line: 2 });
  }, 120_000);

  it("are unknown if time runs out, and the program does not count as correct", async () => {
    const lines = Array.from(
      { length: 150 },
      (_, at) => `const x${at} = await get_items({ ids: ['a'] });`,
    );
    const program = programOf([...lines, "return 'x';"].join("\n"));
    const issues = await checkProgramTypes({ program, functions: CHECKED, timeoutMs: 0 });
    expect(issues).toMatchObject([{ kind: "bound", problem: expect.stringContaining("time") }]);
  }, 120_000);

  it("are not checked when the run is cancelled", async () => {
    const signal = AbortSignal.abort();
    const asked = { program: programOf(WRONG), functions: CHECKED, signal };
    await expect(checkProgramTypes(asked)).rejects.toThrow(/abort/i);
  });
});
