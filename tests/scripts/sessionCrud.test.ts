import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

it("npm run session:crud goes through its last two steps without a language model, and says so", () => {
  const script = resolve("scripts/session-crud.mjs");
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout).toContain("It cannot write code");
  expect(stdout).toContain('square_root(value=-200) = "14.142135623730951i"');
  expect(stdout).toContain("The tool square_root was deleted.");
  expect(stdout).toMatch(/version 1 .* person/);
  expect(stdout).toMatch(/removed .* offline:planner/);
});
