import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ROOT } from "../fakes/langgraphServer.js";

const run = promisify(execFile);

it("a server that is abused goes on answering, and no request ends with an internal error", async () => {
  // How soon it answers depends on what else the machine does.
  const campaign = "tests/campaigns/serverAbuse.ts --seconds 1 --most 10000".split(" ");
  const options = { cwd: ROOT, timeout: 240_000 };
  const { stdout } = await run(process.execPath, ["--import", "tsx", ...campaign], options);
  const rows = stdout.split("\n").flatMap((line) => /^\| ([^|]+) \| (\d+) \|/.exec(line) ?? []);
  expect(rows).toContain("all at once");
  expect(stdout).toContain("\n0 requests ended with an internal error");
});
