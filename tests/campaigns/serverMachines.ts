/**
 * What is left of runs that write, on servers of one database that are machines of their own, with a cable each: machines
 * die, cables are cut, connections break off, or all that a machine sends is late.
 *
 *   npx tsx tests/campaigns/serverMachines.ts --machines 2
 *   npx tsx tests/campaigns/serverMachines.ts --machines 4 --runs 300 --faults 40
 *
 * A machine is a network namespace, which takes Linux and root. The servers are compiled, Postgres is one of its own.
 */
import { join, resolve } from "node:path";
import { inTemporaryFolder } from "../../eval/files.js";
import { startPostgres } from "../postgresServer.js";
import { makeMachines, watchTakeOvers } from "./machines.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";
import { LEASE_MS, serverCampaign } from "./serverCampaign.js";

const { machines, runs, faults, pause, delay, root } = optionsOf({
  machines: 2,
  runs: 300,
  faults: 40,
  /** Milliseconds between two faults, at the mean. */
  pause: 1_000,
  /** Milliseconds that each reply of the model takes. */
  delay: 100,
  root: ".",
});

const postgres = await startPostgres();
if (!postgres) throw new Error("Postgres is not installed: install Debian's postgresql");
const since = performance.now();
try {
  await inTemporaryFolder("servermachines", async (folder) => {
    const made = await makeMachines({ count: machines, postgresPort: postgres.port, folder });
    if (!made) throw new Error("no network namespaces can be made here: that takes Linux and root");
    const watch = await watchTakeOvers(postgres.url);
    try {
      const found = await serverCampaign({
        ...made,
        program: [join(resolve(root), "bin/tulipgraph.mjs")],
        folder,
        database: postgres.url,
        servers: machines,
        runs,
        disturbances: faults,
        pauseMs: pause,
        delayMs: delay,
      });
      const slowest = Math.max(0, ...watch.times());
      const seconds = Math.round((performance.now() - since) / 1_000);
      const { takenOver, writes, doubled, lost, asked, errors, noEnd } = found;
      writeHead(
        "machines,runs,faults,taken over,slowest (leases),writes,doubled,lost,asked about,errors,no end,seconds".split(
          ",",
        ),
      );
      const leases = (slowest / LEASE_MS).toFixed(1);
      writeRow(
        [machines, runs, faults, takenOver, leases, writes, doubled, lost, asked].concat([
          errors.length,
          noEnd,
          seconds,
        ]),
      );
      for (const error of new Set(errors)) write(error);
      process.exitCode = doubled + lost + noEnd === 0 ? 0 : 1;
    } finally {
      await watch.close();
      await made.close();
    }
  });
} finally {
  await postgres.stop();
}
