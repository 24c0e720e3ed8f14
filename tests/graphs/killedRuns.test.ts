import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasPostgres, newDatabase } from "../fakes/homes.js";
import { killCampaign } from "../fakes/killCampaign.js";
import { programFile } from "../fakes/programs.js";

describe.skipIf(!hasPostgres)("runs of four processes that are killed at random", () => {
  // The long form: npx tsx tests/campaigns/killedRuns.ts --runs 1000 --kills 200
  it("all end, with nothing written twice and nothing lost", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const result = await killCampaign({
      folder,
      database: await newDatabase(),
      program: [programFile("tests/fixtures/runtime/killedRuns.ts")],
      runs: 24,
      writes: 3,
      kills: 4,
      processes: 4,
      leaseMs: 1_500,
      everyMs: 1_500,
    });
    expect(result).toMatchObject({ doubled: [], lost: [], open: [] });
    expect(result.written).toBeGreaterThanOrEqual(result.wanted - result.unknown);
  });
});
