import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { buildStep } from "../../scripts/setup/build.mjs";
import { runCommand } from "../../scripts/setup/command.mjs";
import { linkPackages, temporaryFolder } from "./workplace.js";

const SOURCES = {
  "errors.ts": "export const problem: string = 'none';",
  "cli/main.ts":
    'import { problem } from "../errors.js";\nexport const main = (): string => problem;',
  "tools/catalogs/math/list.json": '{ "tools": 2 }',
  "tools/tool.d.ts": "export interface Tool {}",
};

function checkout(sources: Record<string, string> = SOURCES) {
  const root = temporaryFolder();
  linkPackages(root, ["esbuild"]);
  writeFileSync(join(root, "package.json"), '{ "type": "module" }');
  write(root, sources);
  const log = join(root, "setup.log");
  return { root, env: {}, run: runCommand, log, quiet: true, isRoot: false };
}

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function builtFiles(root: string): string[] {
  const entries = readdirSync(join(root, "dist"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, "dist").length + 1))
    .toSorted();
}

describe("the build", () => {
  it("compiles each source to the same place below dist, ready to be imported", async () => {
    const place = checkout();
    await buildStep.work(place);
    expect(builtFiles(place.root)).toEqual([
      ".stamp",
      "cli/main.js",
      "errors.js",
      "tools/catalogs/math/list.json",
    ]);
    const built = await import(pathToFileURL(join(place.root, "dist", "cli", "main.js")).href);
    expect(built.main()).toBe("none");
  });

  it.each<[string, Record<string, string>]>([
    ["changed by one letter", { "errors.ts": "export const problem: string = 'some';" }],
    ["added", { "nodes/acting/act.ts": "export {};" }],
  ])("is due when a source is %s", async (_how, files) => {
    const place = checkout();
    await buildStep.work(place);
    write(place.root, files);
    expect(buildStep.isDone(place)).toBe(false);
  });

  it("removes what a deleted source left, and keeps the declarations of the others", async () => {
    const place = checkout({ ...SOURCES, "nodes/old.ts": "export {};" });
    await buildStep.work(place);
    write(place.root, { "dist/errors.d.ts": "export {};", "dist/nodes/old.d.ts": "export {};" });
    rmSync(join(place.root, "nodes", "old.ts"));
    expect(buildStep.isDone(place)).toBe(false);
    await buildStep.work(place);
    const files = builtFiles(place.root);
    expect(files).toContain("errors.d.ts");
    expect(files.filter((file) => file.startsWith("nodes"))).toEqual([]);
  });

  it("names file and line of a syntax error and leaves the last good build as it was", async () => {
    const place = checkout();
    await buildStep.work(place);
    const before = readFileSync(join(place.root, "dist", "errors.js"), "utf8");
    write(place.root, { "errors.ts": "export const fine = 1;\nexport const = 2;" });
    await expect(buildStep.work(place)).rejects.toThrow(
      /^the sources could not be built: errors\.ts:2: \S/,
    );
    expect(readFileSync(join(place.root, "dist", "errors.js"), "utf8")).toBe(before);
    expect(buildStep.isDone(place)).toBe(false);
    expect(readdirSync(place.root).filter((name) => name.startsWith("dist"))).toEqual(["dist"]);
  });
});
