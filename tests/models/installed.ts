import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** A folder of the test that asks for it, removed after it. */
export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-models-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets the test run in a folder with its own packages. */
export function workIn(folder: string): void {
  const cwd = vi.spyOn(process, "cwd").mockReturnValue(folder);
  onTestFinished(() => cwd.mockRestore());
}

/**
 * Installs packages of one file each in a folder, and has the test work there.
 *
 * @param packages the code of each by the name of the package
 */
export function withPackages(packages: Readonly<Record<string, string>>): string {
  const folder = testFolder();
  for (const [name, code] of Object.entries(packages)) {
    const at = join(folder, "node_modules", name);
    mkdirSync(at, { recursive: true });
    const manifest = { name, version: "1.0.0", type: "module", exports: "./index.js" };
    writeFileSync(join(at, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(at, "index.js"), code);
  }
  workIn(folder);
  return folder;
}
