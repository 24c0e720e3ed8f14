import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const contributing = readFileSync("CONTRIBUTING.md", "utf8");

/** A copy of the sources, to which the examples are applied one after the other. */
const copy = mkdtempSync(join(tmpdir(), "tulipgraph-contributing-"));

beforeAll(() => {
  const listed = run("git", ["ls-files", "-co", "--exclude-standard"], ".");
  for (const file of listed.trim().split("\n")) cpSync(file, join(copy, file), { recursive: true });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

describe("the examples of CONTRIBUTING.md", () => {
  it("add a wiring with two files, and the other files that name it are written", () => {
    expect(applied("A wiring")).toHaveLength(2);
    run(process.execPath, ["--import", "tsx", "scripts/graphs.ts"]);
    expect(readFileSync(join(copy, "langgraph.json"), "utf8")).toContain("clause_tulip.ts:graph");
    const stages = printed(
      `const { loadGraph } = await import("./graphs/index.ts");
       const { wiring } = await loadGraph("clause_tulip");
       console.log(JSON.stringify(Object.keys(wiring.stages)));`,
    );
    expect(stages).toEqual([
      "intake",
      "search",
      "act",
      "searchCalls",
      "execute",
      "judge",
      "reflect",
      "respond",
    ]);
  });

  it("add a stage with three files: its module, the wiring, its test", () => {
    const files = applied("A stage");
    expect(files).toHaveLength(3);
    const [test = ""] = files.filter((file) => file.endsWith(".test.ts"));
    expect(run(process.execPath, ["node_modules/vitest/vitest.mjs", "run", test])).toMatch(
      /Tests .*2 passed/,
    );
  });

  it("add a setting with one file", () => {
    expect(applied("A setting")).toHaveLength(1);
    const code = `const { parseSettings } = await import("./state/settings.ts");
      console.log(parseSettings({}).maxCited);`;
    expect(printed(code)).toBe(5);
  });

  it("add a catalog with its folder alone", () => {
    const files = applied("A catalog");
    expect(new Set(files.map((file) => file.split("/").slice(0, 3).join("/")))).toEqual(
      new Set(["tools/catalogs/greetings"]),
    );
    const names = printed(
      `const { CATALOGS } = await import("./tools/catalogs/index.ts");
       const { readSource } = await import("./tools/sources/index.ts");
       const { file } = CATALOGS.greetings;
       const { tools, problems } = await readSource({ file, catalog: "greetings" });
       console.log(JSON.stringify([...tools.map(({ name }) => name), ...problems]));
       process.exit();`,
    );
    expect(names).toEqual(["greet_in_french"]);
  });

  it("add a scorer in the folder of scorers alone", () => {
    const files = applied("A scorer");
    expect(files.every((file) => file.startsWith("eval/scorers/"))).toBe(true);
    const code = `const { SCORERS } = await import("./eval/scorers/index.ts");
      console.log(JSON.stringify(SCORERS.map(({ id }) => id)));`;
    expect(printed(code)).toContain("searches");
  });
});

/** Applies the example of a section, and returns the files that it adds or changes. */
function applied(section: string): string[] {
  const text = contributing.split(/^## /m).find((each) => each.startsWith(`${section}:`)) ?? "";
  const diff = /```diff\n(.*?)```/s.exec(text)?.[1] ?? "";
  run("git", ["apply", "-"], copy, diff);
  return [...diff.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file = ""]) => file);
}

/** The JSON output of a program in the copy. */
function printed(code: string): unknown {
  return JSON.parse(
    run(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code]),
  ) as unknown;
}

function run(command: string, args: string[], cwd = copy, input = ""): string {
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    input,
    env,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}${stdout}`);
  return stdout;
}
