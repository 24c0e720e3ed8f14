import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("npm run session:crud does its last two steps without a language model, and says so", async () => {
  const script = resolve("scripts/session-crud.mjs");
  // Not spawnSync: the runner of the tests gives up a worker that does not answer for a minute.
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout).toContain("It cannot write code");
  expect(stdout).toContain('square_root(value=-200) = "14.142135623730951i"');
  expect(stdout).toContain("The tool square_root was deleted.");
  expect(stdout).toMatch(/version 1 .* person/);
  expect(stdout).toMatch(/removed .* offline:planner/);
}, 900_000);
