import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { keptScript } from "../../common/keptCode.js";

const name = `test-${process.pid}`;
const kept = join(
  "node_modules/.cache/tulipgraph",
  `${name}-${process.version}-${process.arch}.code`,
);

/** A function is compiled when it is called, and kept afterwards. */
function run(code: string, version: string): unknown {
  const { value, keep } = keptScript({ code, file: "/test.js", name, version });
  const result = (value as () => unknown)();
  keep();
  return result;
}

it("code that is kept is not taken for other code of the same length", () => {
  onTestFinished(() => rmSync(kept, { force: true }));
  expect(run("(function () { return 1; })", "one")).toBe(1);
  expect(existsSync(kept)).toBe(true);
  // That V8 compares no more is why there is a version.
  expect(run("(function () { return 2; })", "one")).toBe(1);
  expect(run("(function () { return 2; })", "two")).toBe(2);
});

it("what was kept of another V8, or is broken, is made again", () => {
  onTestFinished(() => rmSync(kept, { force: true }));
  for (const broken of ["", "one", "one\n", "one\nof another V8"]) {
    writeFileSync(kept, broken);
    expect(run("(function () { return 1; })", "one")).toBe(1);
  }
});

it("nothing is kept for whoever does not want it", () => {
  vi.stubEnv("NODE_DISABLE_COMPILE_CACHE", "1");
  expect(run("(function () { return 1; })", "one")).toBe(1);
  expect(existsSync(kept)).toBe(false);
});
