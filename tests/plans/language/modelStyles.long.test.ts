import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import type { Outcome, ProgramTool } from "../../../plans/language/progress.js";
import { readProgram } from "../../../plans/language/readProgram.js";
import { interpretProgram } from "../../../plans/language/run/interpretProgram.js";
import { typeIssues } from "../../../plans/language/typeIssues.js";
import { STYLE_TOOLS } from "./styleTools.js";

/*
 * Whole programs in the styles of capable models, each of which gives what this engine gives for it and writes the same.
 * They were written by hand for this test.
 */

const TODAY = "2026-03-10";

const PROGRAMS = readFileSync(new URL("modelStyles.txt", import.meta.url), "utf8")
  .split(/^=== /m)
  .slice(1)
  .map((block): [string, string] => [
    block.slice(0, block.indexOf("\n")),
    block.slice(block.indexOf("\n") + 1),
  ]);

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

interface Ran {
  /** What it returns, as text; undefined if it throws. */
  value?: string;
  writes: string[];
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

type Calls = (name: string, args: unknown) => unknown;

/** Calls tools and notes the writes. */
function callsInto(writes: string[]): Calls {
  return (name, args) => {
    const tool = STYLE_TOOLS[name];
    if (!tool) throw new Error(`There is no tool ${name}.`);
    if (tool.effects === "write") writes.push(JSON.stringify([name, args]));
    return structuredClone(tool.run(structuredClone(args as Record<string, never>), writes.length));
  };
}

async function byEngine(code: string): Promise<Ran> {
  const { outputText } = ts.transpileModule(`async function program() {\n${code}\n}`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022 },
  });
  const writes: string[] = [];
  const call = callsInto(writes);
  const names = Object.keys(STYLE_TOOLS);
  // eslint-disable-next-line no-implied-eval -- the programs stand beside this file
  const run = new Function(
    "today",
    "daysBetween",
    ...names,
    `${outputText}\nreturn program();`,
  ) as (...given: unknown[]) => Promise<unknown>;
  const functions = names.map(
    (name) =>
      async (args: unknown = {}) =>
        await call(name, args),
  );
  try {
    return { value: toText(await run(TODAY, daysBetween, ...functions)), writes };
  } catch {
    return { writes };
  }
}

function byInterpreter(code: string): Ran {
  const tools = Object.entries(STYLE_TOOLS);
  const parameters = tools.map(
    ([name, { properties }]) => [name, Object.keys(properties)] as const,
  );
  const read = readProgram(code, { functions: new Map(parameters) });
  if ("issues" in read) throw new Error(JSON.stringify(read.issues));
  const checked = tools.map(([name, { properties, required = [], returns }]) => ({
    name,
    parameters: { type: "object", properties, required },
    ...(returns && { returns }),
  }));
  expect(typeIssues(read.program, checked)).toEqual([]);
  const offered = tools.map(([name, { effects }]): ProgramTool => ({ name, id: name, effects }));
  const outcomes = new Map<string, Outcome>();
  const writes: string[] = [];
  const call = callsInto(writes);
  for (;;) {
    const inputs = { outcomes, looks: new Map<string, string>(), today: TODAY, tools: offered };
    const { calls, end } = interpretProgram(read.program, inputs);
    if (calls.length === 0)
      return end && !end.failed ? { value: toText(end.value), writes } : { writes };
    for (const { place, tool, args } of calls)
      outcomes.set(place, outcomeOf(call, tool.name, args));
  }
}

function outcomeOf(call: Calls, name: string, args: unknown): Outcome {
  try {
    return { result: call(name, args) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

it.each(PROGRAMS)("runs as JavaScript does: %s", async (_title, code) => {
  expect(byInterpreter(code)).toEqual(await byEngine(code));
});
