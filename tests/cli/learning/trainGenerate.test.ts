import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { joinSteps } from "../../eval/generation/support.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";

let file: string;
beforeEach(() => {
  file = join(temporaryFolder(), "pairs.jsonl");
});
afterAll(closeWorkspaces);

const MATH = ["--library", "math", "--seed", "4"];

function generate(...options: string[]) {
  const { spec } = scriptedModel(joinSteps);
  return run("train", "generate", ...MATH, "--model", spec, "--out", file, ...options);
}

describe("train generate", () => {
  it("writes pairs, and says how many, how long, what was dropped and what it cost", async () => {
    const { code, stdout } = await generate("--count", "3");
    expect(code).toBe(0);
    expect(linesOf(file)).toHaveLength(3);
    expect(stdout).toMatch(/^pairs +3, 3 of them new$/m);
    expect(stdout).toMatch(/^steps +\d of \d/m);
    expect(stdout).toMatch(/^dropped +(none|\d+ with)/m);
    expect(stdout).toMatch(/^model +fake:.*, 3 calls$/m);
  });

  it("continues a file up to the count, and its pairs can be imported as demonstrations", async () => {
    await generate("--count", "1");
    const model = ["--model", scriptedModel(joinSteps).spec];
    const wanted = ["--out", file, "--count", "2"];
    const { json } = await runJson("train", "generate", ...MATH, ...model, ...wanted);
    expect(json).toMatchObject({ file, status: "solved", pairs: 2, added: 1, seed: 4 });
    const { code, stdout } = await run("memory", "import", file);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "2 added, 0 known, 0 rejected\n" });
  });

  it("ends unsolved if the offline planner is asked to invent personas, and says so", async () => {
    const persona = ["--method", "persona", "--model", "offline:planner"];
    const { code, stderr } = await generate("--count", "1", ...persona);
    expect(code).toBe(1);
    expect(stderr).toMatch(/offline planner cannot think of requests.*--model/);
  });

  it.each([
    [["--count", "0"], /Not a count from 1 up/],
    [["--count", "some"], /Not a number/],
    [["--count", "2", "--seed", "1.5"], /Not a whole number/],
    [["--count", "2", "--method", "guess"], /Allowed choices are flow, persona/],
    [["--count", "2", "--library", "none"], /unknown library "none"/],
    [["--count", "2", "--model", "none:at-all"], /unknown model provider "none"/],
    [["--count", "2", "--set", "colour=red"], /colour/],
    [["--count", "2", "--set", "temperature=hot"], /temperature/],
    [[], /'--count <n>' not specified/],
  ])("refuses %j in one line, and writes nothing", async (options, message) => {
    expect(errorLine(await generate(...options))).toMatch(message);
    expect(existsSync(file)).toBe(false);
  });
});
