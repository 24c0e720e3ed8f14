import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readSource } from "../../../tools/sources/index.js";
import { nameInSource } from "../../../tools/tool.js";
import { writeCompiledPackage } from "../../fakes/compiledPackage.js";
import { fixture, withFiles } from "./support.js";

describe("A source", () => {
  it("yields functions and LangChain tools together.", async () => {
    const { tools, problems, files } = await readSource({ file: fixture("langchain.ts") });
    expect(problems).toEqual([]);
    expect(tools.map(({ name, source }) => [name, source.kind])).toEqual([
      ["double", "function"],
      ["by_json", "langchain"],
      ["by_text", "langchain"],
      ["older", "langchain"],
      ["get_weather", "langchain"],
    ]);
    expect(files).toEqual([fixture("langchain.ts")]);
  });

  it("is not imported when it has no LangChain tools.", async () => {
    const text = `throw new Error("imported");\n/** Works. */\nexport function works(): void {}`;
    await withFiles({ "tools.ts": text }, async (folder) => {
      const { tools, problems } = await readSource({ file: join(folder, "tools.ts") });
      expect(problems).toEqual([]);
      expect(tools.map(({ name }) => name)).toEqual(["works"]);
    });
  });

  it("is not imported when it cannot run, which is reported once.", async () => {
    const text = `import { tool } from "@langchain/core/tools";\n/** Works. */\nexport function works(): unknown { return tool; }`;
    await withFiles({ "tools.ts": text }, async (folder) => {
      const { tools, problems } = await readSource({ file: join(folder, "tools.ts") });
      expect(tools.map(({ name }) => name)).toEqual(["works"]);
      expect(problems).toMatchObject([{ line: 1, exportName: "*" }]);
    });
  });

  it("keeps the function when a LangChain tool has the same name.", async () => {
    const text = `import type {} from "./types.js";
      export * from "langchain";
      /** Looks. */
      export function look(): void {}
      export const other = { invoke() {}, name: "look", description: "Looks.", schema: { type: "object" } };`;
    const files = {
      "tools.ts": text,
      "node_modules/langchain/package.json": `{ "name": "langchain", "type": "module", "main": "index.js" }`,
      "node_modules/langchain/index.js": `export {};`,
    };
    await withFiles(files, async (folder) => {
      const { tools, problems } = await readSource({ file: join(folder, "tools.ts") });
      expect(tools.map(nameInSource)).toEqual(["look"]);
      expect(problems).toMatchObject([{ exportName: "other" }]);
      expect(problems[0]?.problem).toContain('a tool named "look" is already exported as "look"');
    });
  });

  it("is read by compiled code under plain Node, which loads the compiler only in a thread.", async () => {
    const script = `
      import { createRequire } from "node:module";
      const { cache } = createRequire(import.meta.url);
      const { readSource } = await import("./tools/sources/index.js");
      const { tools, problems } = await readSource({ file: process.argv[2] });
      const loaded = Object.keys(cache).some((path) => path.includes("/typescript/"));
      console.log(JSON.stringify({ names: tools.map(({ name }) => name), problems, loaded }));`;
    await withFiles({ "read.js": script }, async (folder) => {
      writeCompiledPackage(folder);
      const read = promisify(execFile);
      const env = { ...process.env, NODE_OPTIONS: "" };
      const args = [join(folder, "read.js"), fixture("langchain.ts")];
      const { stdout, stderr } = await read(process.execPath, args, { env });
      expect(JSON.parse(stdout)).toEqual({
        names: ["double", "by_json", "by_text", "older", "get_weather"],
        problems: [],
        loaded: false,
      });
      expect(stderr).toContain("imported\nto the end\n");
    });
  }, 300_000);
});
