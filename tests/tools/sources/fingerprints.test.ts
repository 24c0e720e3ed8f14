import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fingerprintOf } from "../../../tools/sources/fingerprints.js";

const folder = mkdtempSync(join(tmpdir(), "fingerprints-"));
const file = join(folder, "tools.ts");

afterAll(() => rmSync(folder, { recursive: true }));

describe("the fingerprint of files that were read", () => {
  it("changes when their content does", () => {
    const fingerprints = ["one", "two", "one"].map((text) => {
      writeFileSync(file, text);
      return fingerprintOf({ files: [file], since: Date.now() });
    });
    expect(fingerprints[0]).toContain(file);
    expect(fingerprints[1]).not.toBe(fingerprints[0]);
    expect(fingerprints[2]).toBe(fingerprints[0]);
  });

  it("does not say where the package is installed", () => {
    const files = [resolve("tools/catalogs/math/index.ts")];
    const fingerprint = fingerprintOf({ files, since: Date.now() });
    expect(fingerprint).toContain('"tools/catalogs/math/index.ts"');
    expect(fingerprint).not.toContain(resolve("."));
  });

  it("is empty if a file has changed or gone since the reading began", () => {
    writeFileSync(file, "three");
    expect(fingerprintOf({ files: [file], since: Date.now() - 60_000 })).toBe("");
    expect(fingerprintOf({ files: [join(folder, "gone.ts")], since: Date.now() })).toBe("");
  });
});
