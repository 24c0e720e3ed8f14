import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

const LINE = { query: "Double 21", tool: "double", args: { x: 21 }, result: "42", helpful: true };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

/** Writes a file with these lines; texts are written as they are, other values as JSON. */
function fileOf(...lines: (string | object)[]): string {
  const file = join(folder, "calls.jsonl");
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(file, texts.join("\n"));
  return file;
}

describe("memory import", () => {
  it("says how many calls are new", async () => {
    const file = fileOf(LINE, { ...LINE, result: "43", helpful: false });
    const imported = await run("memory", "import", file, "--library", "doubling");
    expect(imported).toEqual({ code: 0, stdout: "2 added, 0 known, 0 rejected\n", stderr: "" });
    const again = await run("memory", "import", file, "--library", "doubling");
    expect(again).toEqual({ code: 0, stdout: "0 added, 2 known, 0 rejected\n", stderr: "" });
  });

  it("reports the first twenty unusable lines, and how many more there are", async () => {
    const file = fileOf(LINE, ...Array.from({ length: 25 }, () => "{"));
    const { code, stdout, stderr } = await run("memory", "import", file, "--library", "doubling");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "1 added, 0 known, 25 rejected\n" });
    const lines = stderr.trimEnd().split("\n");
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(`${file}:2: is not JSON (`);
    expect(lines[20]).toBe(`${file}: 5 more unusable lines`);
  });

  it("knows the tools of a library that exists", async () => {
    const source = join(folder, "doubling.ts");
    writeFileSync(
      source,
      "/** Double a number.\n * @param x - the number\n * @effects read */\nexport const double = (x: number): number => 2 * x;\n",
    );
    await run("tools", "import", source);
    const file = fileOf({ ...LINE, tool: "treble" }, LINE, { ...LINE, cost: -1 });
    const { code, json, stderr } = await runJson("memory", "import", file, "--library", "doubling");
    expect(stderr).toBe(
      `${file}:1: library doubling has no tool "treble"\n${file}:3: "cost": Too small: expected number to be >=0\n`,
    );
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        added: 1,
        rejected: 2,
        unknownTools: [{ library: "doubling", tool: "treble", count: 1, lines: [1] }],
      },
    });
  });

  it("ends with 2 if the file has no usable line, or does not exist", async () => {
    const file = fileOf("{", LINE);
    const { code, stdout, stderr } = await run("memory", "import", file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "0 added, 0 known, 2 rejected\n" });
    expect(stderr).toContain(`${file}:2: has no "library"`);
    expect(errorLine(await run("memory", "import", join(folder, "none")))).toMatch(
      /unknown file or thread ".*none"/,
    );
  });
});

describe("memory export", () => {
  it("writes what can be imported elsewhere", async () => {
    await run("memory", "import", fileOf(LINE), "--library", "doubling");
    const out = join(folder, "out.jsonl");
    const exported = await run("memory", "export", out);
    expect(exported).toEqual({ code: 0, stdout: `1 calls written to ${out}\n`, stderr: "" });
    expect(JSON.parse(readFileSync(out, "utf8"))).toMatchObject({ ...LINE, library: "doubling" });
    vi.stubEnv("TULIPGRAPH_HOME", join(folder, "elsewhere"));
    expect((await run("memory", "import", out)).stdout).toBe("1 added, 0 known, 0 rejected\n");
  });

  it("names the libraries with experience when another is wanted", async () => {
    await run("memory", "import", fileOf(LINE), "--library", "doubling");
    const printed = await run("memory", "export", join(folder, "out"), "--library", "dubling");
    expect(errorLine(printed)).toMatch(
      /unknown library with experience "dubling"; did you mean "doubling"\?/,
    );
  });
});

describe("memory list", () => {
  it("is what memory alone means, and counts by library", async () => {
    await run(
      "memory",
      "import",
      fileOf(LINE, { ...LINE, helpful: null }),
      "--library",
      "doubling",
    );
    const printed = await run("memory");
    expect(printed).toEqual(await run("memory", "list"));
    expect(printed.stdout).toMatch(/^library +doubling\ncalls +2\nrequests +1\ntools +1\n/);
    const { json } = await runJson("memory", "--library", "doubling");
    expect(json).toEqual([
      {
        library: "doubling",
        usages: 2,
        queries: 1,
        tools: 1,
        helpful: 1,
        unhelpful: 0,
        unjudged: 1,
      },
    ]);
  });

  it("says when nothing is remembered", async () => {
    const printed = await run("memory", "list");
    expect(printed).toEqual({ code: 0, stdout: "", stderr: "there is no experience yet\n" });
  });
});
