/**
 * What is left of runs that write, on servers of one database, while parts of the system fail: a server is halted longer
 * than its lease and goes on, the database is restarted, connections hang instead of closing, the disk is full. The clock
 * of one of the servers is an hour ahead.
 *
 *   npx tsx tests/campaigns/serverFaults.ts --runs 300
 *   npx tsx tests/campaigns/serverFaults.ts --only halt --runs 100
 *
 * The servers are compiled (`npm run build` makes dist), the database is an own Postgres (Debian's package). A full disk
 * takes the right to mount one.
 */
import { inTemporaryFolder } from "../../eval/files.js";
import { startPostgres } from "../postgresServer.js";
import { clockOf, halt, proxies, restart, smallDisk } from "./disturbances.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";
import { type Found, serverCampaign } from "./serverCampaign.js";

const { runs, servers, delay, only, program } = optionsOf({
  runs: 300,
  servers: 3,
  /** Milliseconds that each reply of the model takes. */
  delay: 100,
  only: "",
  program: "bin/tulipgraph.mjs",
});

/** A campaign by its name, with its share of the runs. */
interface Campaign {
  name: string;
  share: number;
  disturbances: number;
  pauseMs: number;
}

const DISK_MB = 400;

const CAMPAIGNS: readonly Campaign[] = [
  { name: "halt", share: 0.3, disturbances: 9, pauseMs: 500 },
  { name: "halt SQLite", share: 0.1, disturbances: 3, pauseMs: 500 },
  { name: "restart", share: 0.2, disturbances: 6, pauseMs: 500 },
  { name: "hang", share: 0.2, disturbances: 6, pauseMs: 500 },
  { name: "full Postgres", share: 0.1, disturbances: 3, pauseMs: 500 },
  { name: "full SQLite", share: 0.1, disturbances: 3, pauseMs: 500 },
];

type Settings = Parameters<typeof serverCampaign>[0];

writeHead(
  "failure,times,runs,taken over,writes,doubled,lost,asked about,errors,no end,seconds".split(","),
);
const told = new Set<string>();
for (const campaign of CAMPAIGNS.filter(({ name }) => name.startsWith(only))) {
  const since = performance.now();
  const found = await inTemporaryFolder("serverfaults", (folder) => made(campaign, folder));
  if (found === undefined) {
    write(`${campaign.name}: left out, because no disk may be mounted here`);
    continue;
  }
  const { disturbances, takenOver, writes, doubled, lost, asked, errors, noEnd } = found;
  const seconds = Math.round((performance.now() - since) / 1_000);
  const counts = [takenOver, writes, doubled, lost, asked, errors.length, noEnd, seconds];
  writeRow([campaign.name, disturbances, found.runs, ...counts]);
  for (const error of errors) told.add(error);
  if (doubled + lost + noEnd > 0) process.exitCode = 1;
}
for (const error of told) write(error);

async function made(campaign: Campaign, folder: string): Promise<Found | undefined> {
  const { name, share, disturbances, pauseMs } = campaign;
  const usual = {
    program: [program],
    folder,
    servers,
    disturbances,
    pauseMs,
    delayMs: delay,
    runs: Math.round(runs * share),
    environment: clockOf,
  };
  const disk = name.startsWith("full") ? smallDisk(folder, DISK_MB) : undefined;
  if (name.startsWith("full") && disk === undefined) return undefined;
  try {
    if (name.endsWith("SQLite")) {
      return await serverCampaign({ ...usual, home: disk?.folder, disturb: disk?.full ?? halt });
    }
    return await onPostgres({ name, usual, disk });
  } finally {
    disk?.remove();
  }
}

async function onPostgres(options: {
  name: string;
  usual: Settings;
  disk: ReturnType<typeof smallDisk>;
}): Promise<Found> {
  const { name, usual, disk } = options;
  if (disk) process.env.TMPDIR = disk.folder;
  const postgres = await startPostgres();
  delete process.env.TMPDIR;
  if (!postgres) throw new Error("Postgres is not installed: install Debian's postgresql");
  const between = await proxies(postgres, servers);
  const environment = (place: number) => ({ ...clockOf(place), ...between.environment(place) });
  const disturb = {
    halt,
    restart: restart(postgres),
    hang: between.hang,
    "full Postgres": async (parts: Parameters<typeof halt>[0]) => {
      await disk?.full(parts);
      // A database that cannot write its log ends, and whoever looks after it starts it again.
      if (postgres.process.exitCode !== null) await postgres.restart();
    },
  }[name];
  try {
    return await serverCampaign({ ...usual, database: postgres.url, environment, disturb });
  } finally {
    await between.close();
    await postgres.stop();
  }
}
