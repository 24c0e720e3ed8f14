import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CATALOGS, readCatalogs } from "../../../tools/catalogs/index.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-catalogs-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function catalog(name: string, about: unknown, files: Record<string, string> = {}): void {
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, "catalog.json"), JSON.stringify(about));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, name, file), text);
}

const read = () => readCatalogs(pathToFileURL(`${folder}/`));

describe("the catalogs", () => {
  it("are mathematics, and work with its world and background", async () => {
    expect(Object.keys(CATALOGS)).toEqual(["math", "work"]);
    for (const [name, { world, background, file }] of Object.entries(CATALOGS)) {
      expect(file).toBe(`tools/catalogs/${name}/index.ts`);
      expect([world?.name, background !== undefined]).toEqual(
        name === "math" ? [undefined, false] : [name, true],
      );
    }
    const worlds = Object.values(CATALOGS).flatMap(({ world = [] }) => world);
    const loaded = await Promise.all(worlds.map(({ definition }) => definition()));
    expect(loaded.map(({ name }) => name)).toEqual(worlds.map(({ name }) => name));
  });

  it("are found by their folders, with the worlds in them", async () => {
    catalog("abacus", { description: "Beads" });
    catalog(
      "garden",
      { description: "Plants", background: ["It is May.", "It rains."] },
      {
        // As the build makes it.
        "world.js": 'export const shippedWorld = { name: "garden", create: () => "seeds" };',
        "package.json": '{ "type": "module" }',
      },
    );
    mkdirSync(join(folder, "notes"));
    const { abacus, garden, ...others } = read();
    expect(others).toEqual({});
    expect(abacus).toEqual({ description: "Beads", file: "tools/catalogs/abacus/index.ts" });
    expect(garden?.background).toBe("It is May.\nIt rains.");
    expect((await garden?.world?.definition())?.create()).toBe("seeds");
  });

  it("say which file is wrong, and where", () => {
    catalog("abacus", { descriptoin: "Beads" });
    expect(read).toThrow(/abacus.catalog\.json[^]*description/);
  });
});
