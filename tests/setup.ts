import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

// Each test file has data of its own, and none touches the user's.
const home = mkdtempSync(join(tmpdir(), "tulipgraph-home-"));
process.env.TULIPGRAPH_HOME = home;

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});
