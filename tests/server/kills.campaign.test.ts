import { describe, expect, it, onTestFinished } from "vitest";
import { type Disturbance, serverCampaign } from "../campaigns/serverCampaign.js";
import { clockOf, halt, proxies, restart } from "../campaigns/disturbances.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { programFile } from "../fakes/programs.js";
import { startPostgres } from "../postgresServer.js";

/** The short form of tests/campaigns/serverKills.ts and serverFaults.ts. */
async function campaign(options: Partial<Parameters<typeof serverCampaign>[0]>) {
  return await serverCampaign({
    program: [programFile("tests/fakes/commandLine.ts")],
    folder: newHome(),
    servers: 4,
    runs: 40,
    disturbances: 8,
    pauseMs: 300,
    delayMs: 100,
    ...options,
  });
}

const KEPT = { doubled: 0, lost: 0, noEnd: 0, errors: [] };

describe("servers that are killed at random", () => {
  it.skipIf(!hasPostgres)("repeat and lose no write on Postgres, and end every run", async () => {
    const found = await campaign({ database: await newDatabase() });
    expect(found).toMatchObject({ ...KEPT, runs: 40 });
    expect(found.takenOver).toBeGreaterThan(0);
  });

  it("repeat and lose no write on SQLite, and end every run", async () => {
    const found = await campaign({});
    expect(found).toMatchObject({ ...KEPT, runs: 40 });
    expect(found.takenOver).toBeGreaterThan(0);
  });
});

describe.skipIf(!hasPostgres)("servers, one of them with a clock an hour ahead", () => {
  type Postgres = NonNullable<Awaited<ReturnType<typeof startPostgres>>>;

  it.each<[string, number, (postgres: Postgres, hang: Disturbance) => Disturbance]>([
    ["are halted longer than their leases and go on", 4, () => halt],
    ["lose their database for a while", 3, (postgres) => restart(postgres)],
    ["have connections that hang instead of closing", 1, (_postgres, hang) => hang],
  ])("that %s repeat and lose no write, and end every run", async (_, disturbances, disturbOf) => {
    const postgres = await startPostgres();
    if (!postgres) throw new Error("Postgres is installed");
    onTestFinished(postgres.stop);
    const between = await proxies(postgres, 3);
    onTestFinished(between.close);
    const found = await campaign({
      servers: 3,
      runs: 24,
      disturbances,
      database: postgres.url,
      disturb: disturbOf(postgres, between.hang),
      environment: (place) => ({ ...clockOf(place), ...between.environment(place) }),
    });
    expect(found).toMatchObject({ ...KEPT, runs: 24 });
  });
});
