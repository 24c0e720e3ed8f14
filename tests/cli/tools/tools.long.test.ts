import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { type Reply, scriptedModel } from "../../fakes/scriptedModel.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

const EXAMPLE = "examples/temperatures.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

/** Writes a file with tools into the test's folder. */
function source(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const DOUBLING =
  "/** Double a number.\n * @param x - the number\n * @effects read */\nexport const double = (x: number): number => 2 * x;\n";

async function importWords(file: string, ...options: string[]) {
  return await runJson("tools", "import", file, ...options);
}

async function listIds(library: string): Promise<string[]> {
  const { json } = await runJson("tools", "list", "--library", library);
  return (json as ToolRecord[]).map(({ id }) => id);
}

describe("tools label", () => {
  const LABELLED = DOUBLING.replace(" * @effects read", " * @effects read\n * @flow private");

  it("labels a tool permanently, until its source's labels are restored", async () => {
    const file = source("numbers.ts", LABELLED);
    await importWords(file);
    const of = ["--library", "numbers"];
    const flowNow = async () => {
      const { json } = await runJson("tools", "list", "double", ...of);
      const { flow, sends } = json as ToolRecord;
      return { flow, sends };
    };
    expect(await flowNow()).toEqual({ flow: ["private"] });
    const printed = await run("tools", "label", "double", "--flow", "foreign outward(x)", ...of);
    expect(printed.stdout).toBe("double: foreign outward(x)\n");
    writeFileSync(file, LABELLED.replace("Double", "Make twice"));
    await importWords(file);
    expect(await flowNow()).toEqual({ flow: ["foreign", "outward"], sends: ["x"] });
    await run("tools", "label", "double", "--flow", "none", ...of);
    expect(await flowNow()).toEqual({ flow: [] });
    await run("tools", "label", "double", "--flow", "source", ...of);
    expect(await flowNow()).toEqual({ flow: ["private"] });
  });
});

describe("tools import", () => {
  it("makes the functions of a file tools of a library that has the file's name", async () => {
    const printed = await run("tools", "import", EXAMPLE);
    expect(printed).toEqual({ code: 0, stdout: "library temperatures: 2 added\n", stderr: "" });
    expect(await listIds("temperatures")).toEqual(["warmest_reading", "describe_temperature"]);
    const again = await run("tools", "import", EXAMPLE);
    expect(again.stdout).toBe("library temperatures: 2 unchanged\n");
  });

  it.each([
    ["is missing", undefined, /tool source .*: the file does not exist/],
    [
      "has a syntax error",
      "export function (",
      /no function that can be a tool.*bad\.ts:1: syntax error/,
    ],
    ["exports nothing", "const x = 1;", /bad\.ts has no function that can be a tool/],
    ["has no description", "export function f(x: number) { return x; }", /bad\.ts:1: /],
  ])("reports that the file %s, and makes no empty library", async (_what, text, pattern) => {
    const file = text === undefined ? join(folder, "bad.ts") : source("bad.ts", text);
    expect(errorLine(await run("tools", "import", file))).toMatch(pattern);
    const { json } = await runJson("tools", "list", "--libraries");
    expect(json).toMatchObject(Object.keys(CATALOGS).map((name) => ({ name })));
  });
});

describe("tools list", () => {
  it("shows each tool in one line, some by a text, and says how many it leaves out", async () => {
    const all = await run("tools", "list", "--library", "work");
    expect(all.stderr).toBe("");
    for (const line of all.stdout.trim().split("\n")) expect(line.length).toBeLessThan(160);
    const some = ["--library", "math", "--filter", "PRIME", "--limit", "2"];
    const { stdout, stderr } = await run("tools", "list", ...some);
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stdout).toMatch(/prime/);
    expect(stderr).toMatch(/^\d+ of 118 tools match; \d+ more are not shown\n$/);
  });
});

describe("tools search", () => {
  it("always finds the nearest tools, and says when none is near enough", async () => {
    await run("tools", "import", EXAMPLE);
    const options = ["--library", "temperatures"];
    const phrase = "how a temperature feels";
    const { json } = await runJson("tools", "search", phrase, "-k", "1", ...options);
    expect(json).toMatchObject({
      phrase,
      ranking: "both",
      hits: [{ id: "describe_temperature", words: { said: ["temperature", "feel"] } }],
    });
    const none = await run("tools", "search", "airplanes", "--set", "threshold=0.5", ...options);
    expect(none).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\w+ {2}\w/) });
    expect(none.stderr).toMatch(
      /^unsure: these are only the nearest \(the nearest was \w+ at [\d.]+; a hit is below 0\.50/,
    );
  });

  it("says why each tool is found: how near it is, and which words it shares", async () => {
    await run("tools", "import", EXAMPLE);
    const options = ["--library", "temperatures"];
    const { stdout } = await run("tools", "search", "how a temperature feels", ...options);
    expect(stdout).toMatch(/^describe_temperature {2}Say how a temperature feels/m);
    expect(stdout).toMatch(/^ {2}distance [\d.]+ of 2, less is nearer.* · says .*temperature/m);
    const near = await run(
      "tools",
      "search",
      "how a temperature feels",
      "--set",
      "ranking=meaning",
      ...options,
    );
    expect(near.stdout).not.toMatch(/score|says/);
  });
});

describe("tools remove", () => {
  it("removes tools by their ids, and those of a file that is gone", async () => {
    const file = source("numbers.ts", DOUBLING + DOUBLING.replaceAll("ouble", "rop"));
    await importWords(file);
    const options = ["--library", "numbers"];
    const first = await run("tools", "remove", "double", ...options);
    expect(first.stdout).toBe("library numbers: 1 removed\n");
    expect(await listIds("numbers")).toEqual(["drop"]);
    rmSync(file);
    const listed = await runJson("tools", "list", ...options);
    expect(listed).toMatchObject({ code: 0, json: [{ id: "drop" }] });
    expect(listed.stderr).toMatch(/numbers\.ts with its functions is gone\. .*tools remove --file/);
    const second = await runJson("tools", "remove", "--file", file, ...options);
    expect(second.json).toEqual({ library: "numbers", removed: ["drop"] });
    expect(await listIds("numbers")).toEqual([]);
    const third = await run("tools", "remove", "--file", file, ...options);
    expect(errorLine(third)).toMatch(/unknown file ".*numbers\.ts"; none are available/);
  });
});

describe("solve", () => {
  const PLAN: Reply[] = [
    { subtasks: ["Double it"] },
    { searches: [{ subtask: 1, phrase: "Double a number" }] },
  ];
  const CALL: Reply = { calls: [{ name: "double", args: { x: 21 } }] };

  async function solve(...options: string[]) {
    const model = scriptedModel([...PLAN, CALL, { stop: "Done." }]);
    const given = ["--model", model.spec, "--set", "threshold=0", ...options];
    return await runJson("solve", "Double it", "--graph", "cot_tulip", ...given);
  }

  it("imports a file given as the library", async () => {
    const file = source("my numbers.ts", DOUBLING);
    const printed = await solve("--library", file);
    expect(printed).toMatchObject({ code: 0, json: { calls: [{ tool: "double", result: 42 }] } });
    expect(await listIds("my_numbers")).toEqual(["double"]);
  });

  it("notices that a file has changed, and reports what in it has become unusable", async () => {
    const file = source("numbers.ts", DOUBLING);
    await importWords(file);
    source("numbers.ts", `${DOUBLING.replace("2 * x", "3 * x")}export function bare() {}\n`);
    const printed = await solve("--library", "numbers");
    expect(printed.json).toMatchObject({ calls: [{ result: 63 }] });
    expect(printed.stderr).toMatch(/numbers\.ts:5: /);
    const again = await solve("--library", "numbers");
    expect(again).toMatchObject({ stderr: "", json: { calls: [{ result: 63 }] } });
  });
});
