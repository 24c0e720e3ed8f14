import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/setup/prepare.mjs";
import { testArguments } from "../../scripts/testing/run-tests.mjs";
import { linkPackages, temporaryFolder } from "./workplace.js";

/** Runs the tests of a small project in a process of its own; gives the last line and the code. */
async function runProject(files: Record<string, string>) {
  const root = temporaryFolder();
  linkPackages(root, ["vitest"]);
  mkdirSync(join(root, "tests"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  for (const [name, source] of Object.entries(files)) {
    const imports = 'import { expect, it } from "vitest";';
    writeFileSync(join(root, "tests", name), `${imports}\n${source}\n`);
  }
  const module = join(projectRoot, "scripts", "testing", "run-tests.mjs");
  const script = `
    import { runTests } from ${JSON.stringify(module)};
    const { code, line } = await runTests({ root: ${JSON.stringify(root)}, args: [] });
    console.log(line);
    process.exitCode = code;
  `;
  const { code, stdout } = await printedBy(["--input-type=module", "-e", script]);
  return { code, lastLine: stdout.trimEnd().split("\n").at(-1) };
}

/** Without stderr, whose parts may arrive behind the last line of stdout. */
async function printedBy(args: string[]) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (stdout += part));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout };
}

/** The kinds of the tests that vitest would run, by their names: "campaign." of page.campaign.test.ts. */
async function kindsRun(given: string[]): Promise<Set<string | undefined>> {
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
  const list = [vitest, "list", "--filesOnly", "--root", projectRoot];
  const { stdout } = await printedBy([...list, ...testArguments(given)]);
  return new Set([...stdout.matchAll(/\w\.((?:\w+\.)*)test\.ts$/gm)].map(([, kind]) => kind));
}

describe("a test run", () => {
  it("ends with the counts alone on a line, a file that cannot be loaded among the failures", async () => {
    const result = await runProject({
      "good.test.js": 'it("adds", () => expect(1 + 1).toBe(2)); it.skip("waits", () => {});',
      "bad.test.js": 'it("adds", () => expect(1 + 1).toBe(3));',
      "gone.test.js": 'import "./nowhere.js";',
    });
    expect(result).toEqual({ code: 1, lastLine: "1 passed, 2 failed, 1 skipped" });
  });

  it("without an executed test is a failure", async () => {
    const result = await runProject({ "idle.test.js": 'it.skip("waits", () => {});' });
    expect(result).toEqual({ code: 1, lastLine: "0 passed, 0 failed, 1 skipped" });
  });
});

describe("the arguments of a test run", () => {
  it("leave out the long tests and the campaigns if none are given, and nothing with --all", async () => {
    expect(await kindsRun([])).toEqual(new Set(["", "alone.", "processes."]));
    expect([...(await kindsRun(["--all"]))]).toEqual(
      expect.arrayContaining(["campaign.", "long."]),
    );
    expect(testArguments(["--all"])).toEqual([]);
  });

  it("go to vitest, so that a campaign can be run by its name", () => {
    expect(testArguments(["tests/server/kills.campaign.test.ts"])).toEqual([
      "tests/server/kills.campaign.test.ts",
    ]);
    expect(testArguments(["--all", "-t", "kills"])).toEqual(["-t", "kills"]);
  });
});
