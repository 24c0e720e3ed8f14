import { describe, expect, it } from "vitest";
import { killCampaign } from "../campaigns/serverKillsCampaign.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { programFile } from "../fakes/programs.js";

/** The short form of tests/campaigns/serverKills.ts. */
async function campaign(database?: string) {
  return await killCampaign({
    program: [programFile("tests/fakes/commandLine.ts")],
    folder: newHome(),
    database,
    servers: 4,
    runs: 40,
    kills: 8,
    pauseMs: 300,
    delayMs: 100,
  });
}

describe("servers that are killed at random", () => {
  const kept = { runs: 40, kills: 8, doubled: 0, lost: 0, noEnd: 0, errors: [] };

  it.skipIf(!hasPostgres)("repeat and lose no write on Postgres, and end every run", async () => {
    const found = await campaign(await newDatabase());
    expect(found).toMatchObject(kept);
    expect(found.takenOver).toBeGreaterThan(0);
  });

  it("repeat and lose no write on SQLite, and end every run", async () => {
    const found = await campaign();
    expect(found).toMatchObject(kept);
    expect(found.takenOver).toBeGreaterThan(0);
  });
});
