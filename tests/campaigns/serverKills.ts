/**
 * What is left of runs that write, on servers of one database that are killed at random and restarted.
 *
 *   npx tsx tests/campaigns/serverKills.ts --servers 4 --runs 1000 --kills 200
 *   npx tsx tests/campaigns/serverKills.ts --database sqlite
 *
 * The servers are compiled (`npm run build` makes dist). The database is an own Postgres (Debian's package), the one of
 * `--database postgres://…`, or SQLite files in a temporary folder. The model is a script on this machine. The runs are
 * spread over the time in which servers are killed.
 */
import { join, resolve } from "node:path";
import { startPostgres } from "../postgresServer.js";
import { inTemporaryFolder } from "../../eval/files.js";
import { optionsOf, write, writeRow } from "./scriptSupport.js";
import { killCampaign } from "./serverKillsCampaign.js";

const { servers, runs, kills, pause, delay, database, root } = optionsOf({
  servers: 4,
  runs: 1_000,
  kills: 200,
  /** Milliseconds between two kills, at the mean. */
  pause: 1_000,
  /** Milliseconds that each reply of the model takes. */
  delay: 100,
  database: "",
  root: ".",
});

const postgres = database === "" ? await startPostgres() : undefined;
if (database === "" && postgres === undefined) {
  throw new Error("Postgres is not installed: install Debian's postgresql, or give --database");
}

try {
  const since = performance.now();
  const found = await inTemporaryFolder("serverkills", (folder) =>
    killCampaign({
      program: [join(resolve(root), "bin/tulipgraph.mjs")],
      folder,
      database: database === "sqlite" ? undefined : database || postgres?.url,
      servers,
      runs,
      kills,
      pauseMs: pause,
      delayMs: delay,
    }),
  );
  write(
    "| runs | kills | taken over | writes | doubled | lost | asked about | errors | no end | seconds |",
  );
  write("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  const { takenOver, writes, doubled, lost, asked, errors, noEnd } = found;
  const seconds = Math.round((performance.now() - since) / 1_000);
  const said = errors.join();
  writeRow([runs, kills, takenOver, writes, doubled, lost, asked, said, noEnd, seconds]);
  for (const error of new Set(errors)) write(error);
  process.exitCode = doubled + lost + noEnd === 0 ? 0 : 1;
} finally {
  await postgres?.stop();
}
