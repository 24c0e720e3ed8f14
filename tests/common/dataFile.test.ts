import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { readAsWritten, readDataFile } from "../../common/dataFile.js";

const FORM = z.strictObject({ id: z.string(), tool: z.enum(["add", "subtract"]) });

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tulipgraph-data-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function fileWith(data: unknown): URL {
  const path = join(folder, "tasks.json");
  writeFileSync(path, JSON.stringify(data));
  return pathToFileURL(path);
}

describe("a data file", () => {
  it("is parsed by its form", () => {
    const file = fileWith([{ id: "one", tool: "add" }]);
    const ids = z.array(FORM.transform(({ id }) => id));
    expect(readDataFile(file, ids)).toEqual(["one"]);
  });

  it("is named in the error, with the place of an unknown name", () => {
    const file = fileWith([{ id: "one", tool: "divide" }]);
    expect(() => readDataFile(file, z.array(FORM))).toThrow(/tasks\.json.*subtract.*\[0\]\.tool/s);
  });

  it("can be read as written, if its form is right", () => {
    const file = fileWith({ tool: "add", id: "one" });
    expect(JSON.stringify(readAsWritten(file, FORM))).toBe('{"tool":"add","id":"one"}');
    expect(() => readAsWritten(fileWith({ tool: "add" }), FORM)).toThrow(/tasks\.json/);
  });
});
