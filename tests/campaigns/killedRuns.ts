/**
 * Runs of several processes on one Postgres. One process after the other is killed at any moment, or stopped for longer
 * than its lease. Does each run end, and is anything written twice or lost?
 *
 *   npx tsx tests/campaigns/killedRuns.ts --runs 1000 --kills 200
 *
 * The experiment starts its own Postgres (Debian's package `postgresql`), or uses the empty database given by --database.
 * Each run calls a user's tool --writes times, which adds a line to a file; the model is a script. The short form is
 * tests/graphs/killedRuns.test.ts.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { compiledPrograms } from "../compiled.js";
import { killCampaign } from "../fakes/killCampaign.js";
import { startPostgres } from "../postgresServer.js";
import { inTemporaryFolder } from "../../eval/files.js";
import { optionsOf, write } from "./scriptSupport.js";

const PROGRAM = "tests/fixtures/runtime/killedRuns.mjs";

const { database, lease, every, ...settings } = optionsOf({
  runs: 1_000,
  kills: 200,
  writes: 3,
  processes: 4,
  lease: 3_000,
  every: 4_000,
  database: undefined,
});

const server = database === undefined ? await startPostgres() : undefined;
const url = database ?? server?.url;
if (url === undefined)
  throw new Error("there is no Postgres: install it, or name one (--database)");
const programs = await compiledPrograms();
try {
  await inTemporaryFolder("killed-runs", async (folder) => {
    const campaign = { ...settings, folder, database: url, program: [join(programs, PROGRAM)] };
    const result = await killCampaign({
      ...campaign,
      leaseMs: lease,
      everyMs: every,
      tell: write,
    });
    const { kills, stops, wanted, written, unknown, doubled, lost, open, ms } = result;
    write(`${settings.runs} runs in ${Math.round(ms / 1_000)} s, ${settings.processes} processes`);
    write(`${kills} kills, ${stops} stops`);
    write(`${written} of ${wanted} lines written, ${unknown} with unknown outcome`);
    write(`${doubled.length} doubled, ${lost.length} lost, ${open.length} runs open`);
    if (doubled.length + lost.length + open.length > 0) process.exitCode = 1;
  });
} finally {
  rmSync(programs, { recursive: true, force: true });
  await server?.stop();
}
