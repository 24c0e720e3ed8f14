import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CreationFigures } from "../../../eval/creation/creationFigures.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { errorLine, linesOf, run, runJson, temporaryFolder } from "../support.js";

function argvOf(out: string, ...more: string[]): string[] {
  return ["eval", "creation", "--out", out, "--embeddings", TEST_LIBRARY.embeddings, ...more];
}

const WRITER = ["--model", "simulated:writer", "--requests", "roman-numeral,letter-shift"];

describe("eval creation", () => {
  it("makes each request once, and prints and writes the results", async () => {
    const out = join(temporaryFolder(), "creation");
    const { code, stdout } = await run(...argvOf(out, ...WRITER));
    const lines = stdout.split("\n");
    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^Model: simulated:writer, which is a script and no language model/);
    expect(stdout).toMatch(/^roman-numeral +numbers +created +yes +2 \(rules\) +9\/9 /m);
    expect(stdout).toMatch(/^letter-shift +texts +created +no +1 +7\/9 /m);
    expect(lines).toContain("all hidden checks passed as well: 1 of 2");
    expect(readFileSync(join(out, "report.md"), "utf8").split("\n")[0]).toBe(lines[0]);
    expect(linesOf(join(out, "creation.jsonl"))).toHaveLength(2);

    const again = await runJson(...argvOf(out, ...WRITER));
    const { model, made, madeRight } = again.json as CreationFigures;
    expect({ model, made, madeRight }).toEqual({
      model: "simulated:writer",
      made: 2,
      madeRight: 1,
    });
    expect(again.stderr).toMatch(/^Model: simulated:writer/);
    expect(linesOf(join(out, "creation.jsonl"))).toHaveLength(2);
  });

  it("refuses unknown requests, and a folder with the lines of another model", async () => {
    const out = join(temporaryFolder(), "creation");
    const unknown = await run(...argvOf(out, "--requests", "slug,roman-number"));
    expect(errorLine(unknown)).toMatch(/unknown request "roman-number".*roman-numeral/);
    expect(existsSync(out)).toBe(false);
    const request = ["--requests", "live-temperature", "--json"];
    await run(...argvOf(out, ...request, "--model", "simulated:writer"));
    const other = await run(...argvOf(out, ...request, "--model", "offline:planner"));
    expect({ code: other.code, stdout: other.stdout }).toEqual({ code: 2, stdout: "" });
    expect(other.stderr).toMatch(/^error: .*made by simulated:writer/m);
  });

  it("fails if a request failed", async () => {
    const out = join(temporaryFolder(), "creation");
    const { spec } = scriptedModel([new Error("no connection")]);
    const printed = await run(...argvOf(out, "--model", spec, "--requests", "slug"));
    expect(printed.code).toBe(1);
    expect(printed.stderr).toMatch(/^slug: broke off: .*no connection/m);
    expect(printed.stdout).toMatch(/^slug +texts +broke off +no /m);
  });
});
