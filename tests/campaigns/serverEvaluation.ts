/**
 * Whether an evaluation on servers of one database has each task once, however often servers and the evaluation itself are
 * killed, and how long it takes in comparison with the time that its model alone would take.
 *
 *   npx tsx tests/campaigns/serverEvaluation.ts --tasks 2000 --servers 4 --places 16 --delay 6000
 *
 * Servers and evaluation are compiled. Postgres is one of its own. Each task is two replies of a model and a write.
 */
import { join, resolve } from "node:path";
import { inTemporaryFolder } from "../../eval/files.js";
import { startPostgres } from "../postgresServer.js";
import { evaluationCampaign } from "./evaluationCampaign.js";
import { optionsOf, writeHead, writeRow } from "./scriptSupport.js";

const { tasks, servers, places, delay, kills, root } = optionsOf({
  tasks: 2_000,
  servers: 4,
  /** Runs at a time of each server. */
  places: 16,
  /** Milliseconds that each reply of the model takes. */
  delay: 6_000,
  /** Kills of servers and of the evaluation, in turns; there is one halt besides. */
  kills: 3,
  root: ".",
});

const postgres = await startPostgres();
if (!postgres) throw new Error("Postgres is not installed: install Debian's postgresql");
try {
  const found = await inTemporaryFolder("serverevaluation", (folder) =>
    evaluationCampaign({
      program: [join(resolve(root), "bin/tulipgraph.mjs")],
      folder,
      database: postgres.url,
      tasks,
      servers,
      places,
      delayMs: delay,
      kills,
    }),
  );
  writeHead(["tasks", "records", "twice", "lost attempts", "written twice", "seconds", "of ideal"]);
  const { records, twice, lostAttempts, writtenTwice, seconds, ofIdeal } = found;
  writeRow([tasks, records, twice, lostAttempts, writtenTwice, seconds, ofIdeal]);
  process.exitCode = records === tasks && twice + writtenTwice === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
