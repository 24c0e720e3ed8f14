import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFunctions } from "../../../tools/sources/functions/functions.js";
import { nameInSource } from "../../../tools/tool.js";
import { fixture, withFiles } from "./support.js";

const index = fixture("reexports/index.ts");

describe("A file that re-exports others", () => {
  const reading = readFunctions({ file: index });

  it("offers their functions under the names it exports.", () => {
    expect(reading.problems).toEqual([]);
    expect(reading.tools.map((tool) => [tool.name, nameInSource(tool)])).toEqual([
      ["areaOfSquare", "areaOfSquare"],
      ["halve", "halve"],
      ["triple", "triple"],
    ]);
  });

  it("depends on all files reached from it, but on no package.", () => {
    expect(reading.files).toEqual([
      index,
      fixture("reexports/shapes.ts"),
      fixture("reexports/numbers.ts"),
      fixture("reexports/inner/helpers.ts"),
    ]);
  });

  it("keeps the path from the root of its package when it is a catalog's.", () => {
    const { tools, files } = readFunctions({ file: index, catalog: "shapes" });
    expect(tools[0]?.source).toMatchObject({
      catalog: "shapes",
      file: "tests/fixtures/sources/reexports/index.ts",
    });
    expect(files[0]).toBe(index);
  });
});

describe("The files of a reading", () => {
  it("are each named once when they import each other.", async () => {
    const files = {
      "a.ts": `import "./b.js"; import "./sub/c";\n/** One. */ export function one(): number { return 1; }`,
      "b.ts": `import "./a.js"; export {};`,
      "sub/c.ts": `import "../b.ts"; import data from "../data.json" with { type: "json" }; export default data;`,
      "data.json": `{}`,
    };
    await withFiles(files, (folder) => {
      const reading = readFunctions({ file: join(folder, "a.ts") });
      expect(reading.problems).toEqual([]);
      expect(reading.files).toEqual(
        ["a.ts", "b.ts", "sub/c.ts", "data.json"].map((name) => join(folder, name)),
      );
    });
  });

  it("do not include packages, though packages are resolved from the file's folder.", async () => {
    const files = {
      "tools.ts": `import type { Size } from "sizes";\n/** Sets it. */ export function set(size: Size): void { void size; }`,
      "node_modules/sizes/package.json": `{ "name": "sizes", "types": "index.d.ts" }`,
      "node_modules/sizes/index.d.ts": `export type Size = "s" | "m";`,
    };
    await withFiles(files, (folder) => {
      const reading = readFunctions({ file: join(folder, "tools.ts") });
      expect(reading.files).toEqual([join(folder, "tools.ts")]);
      expect(reading.tools[0]?.parameters.properties).toEqual({
        size: { type: "string", enum: ["s", "m"] },
      });
    });
  });
});
