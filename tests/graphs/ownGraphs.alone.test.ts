import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { namedGraph } from "../../graphs/openGraph.js";
import { findGraph, graphNames, graphSource, ownGraphHashes } from "../../graphs/ownGraphs.js";

const folder = mkdtempSync(join(tmpdir(), "own-graphs-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe("the file of a wiring", () => {
  it("is a graph called like it, or as it is said to be, and is found again by another process", () => {
    const file = fileWith("first.mjs", "export const wiring = {};");
    expect(findGraph(file)).toBe("first");
    expect(findGraph(`other=${file}`)).toBe("other");
    expect(graphNames()).toEqual(expect.arrayContaining(["tulip", "first", "other"]));
    expect(findGraph(graphSource("other"))).toBe("other");
    expect(graphSource("tulip")).toBe("tulip");
  });

  it("is another graph once it has changed", () => {
    const file = fileWith("changing.mjs", "export const wiring = {};");
    const name = findGraph(file);
    const before = ownGraphHashes(["tulip", name]);
    fileWith("changing.mjs", "export const wiring = { changed: true };");
    expect(Object.keys(before ?? {})).toEqual([name]);
    expect(ownGraphHashes(["tulip", name])).not.toEqual(before);
    expect(ownGraphHashes(["tulip"])).toBeUndefined();
  });

  it("is refused in one line if it is not there, does not export a wiring, or has the name of another graph", async () => {
    expect(() => findGraph(join(folder, "none.mjs"))).toThrow(/none\.mjs: the file does not exist/);
    expect(() => findGraph(fileWith("tulip.mjs", ""))).toThrow(
      /name tulip belongs to another graph.*NAME=/,
    );
    const empty = fileWith("empty.mjs", "export const wiring = 1;");
    await expect(namedGraph(empty)).rejects.toThrow(
      /does not export a wiring.*export const wiring = wire/,
    );
    const broken = fileWith("broken.mjs", "throw new Error('no such luck');");
    await expect(namedGraph(broken)).rejects.toThrow(/cannot be loaded \(no such luck\)/);
  });

  it("is no graph if it is only misspelt", () => {
    expect(() => findGraph("tulp")).toThrow(/unknown graph "tulp"; did you mean "tulip"/);
  });
});
