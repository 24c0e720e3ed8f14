import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { HELPERS, NAMES } from "../../plans/language/language.js";
import { readProgram } from "../../plans/language/readProgram.js";
import { checkProgramTypes } from "../../tools/calls/compiler/programs.js";
import { readSource } from "../../tools/sources/index.js";
import { blocksOf } from "./pages.js";

const plans = readFileSync("docs/plans.md", "utf8");

/** The code spans of the text; functions of `Math` are mentioned together. */
const words = [...plans.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)].flatMap(
  ([, code = ""]) => /^[\w.]+/.exec(code) ?? [],
);

it("names everything that a program can call beside tools and what JavaScript has", () => {
  const own = Object.keys(HELPERS).filter((name) => !name.includes(".") && !(name in globalThis));
  for (const name of [...own, ...NAMES]) expect(words).toContain(name);
});

it("shows a program that holds for the tools of the catalog for work items", async () => {
  const code = blocksOf("docs/plans.md").find(({ language }) => language === "ts")?.text ?? "";
  const { tools } = await readSource({ file: "tools/catalogs/work/index.ts", catalog: "work" });
  const read = readProgram(code);
  if ("issues" in read) throw new Error(JSON.stringify(read.issues));
  const called = read.program.calls.map(({ name }) => name);
  expect(called).toEqual(expect.arrayContaining(["works_list", "set_due_date"]));
  expect(await checkProgramTypes({ program: read.program, functions: tools })).toEqual([]);
}, 120_000);
