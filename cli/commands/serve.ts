import { Command } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { requireExtra } from "../../common/extras.js";
import { GRAPH_IDS } from "../../graphs/index.js";
import type { RunningServer } from "../../server/serve.js";
import { DEFAULT_SETTINGS, type ServerSettings } from "../../server/settings.js";
import { databaseName } from "../../storage/away.js";
import { defaultDatabase, defaultHome } from "../../nodes/workspace/home.js";
import { examples } from "../helpExamples.js";

interface Options {
  host: string;
  port: string;
  concurrency: string;
  leaseSeconds: string;
  config?: string;
}

/** `tulipgraph serve`: serves the graphs through LangGraph's API. */
export function serveCommand(): Command {
  const { host, port, concurrency, leaseSeconds } = DEFAULT_SETTINGS;
  return new Command("serve")
    .description("Serve the graphs through the LangGraph server API")
    .option("--host <host>", "address to listen on", host)
    .option("--port <number>", "port to listen on; 0 for any free port", String(port))
    .option(
      "--concurrency <number>",
      "runs that this process executes at once",
      String(concurrency),
    )
    .option(
      "--lease-seconds <number>",
      "how long a process that died keeps its runs",
      String(leaseSeconds),
    )
    .option("--config <file>", "the operator's policy file: who may run what, and how much")
    .addHelpText(
      "after",
      examples([
        "tulipgraph serve",
        "TULIPGRAPH_DATABASE_URL=postgres://me@db/tulip tulipgraph serve --host 0.0.0.0 --port 8123",
      ]),
    )
    .action(async (options: Options) => {
      const settings = settingsOf(options);
      requireExtra("server");
      const { startServer } = await import("../../server/serve.js");
      const server = await startServer(settings, (database) =>
        process.stderr.write(`Waiting for the database ${database}, which does not answer\n`),
      );
      process.stderr.write(`${startLines({ server, settings }).join("\n")}\n`);
      await untilStopped();
      process.stderr.write(
        "Closing: runs end or are left to other processes; Ctrl-C again ends at once\n",
      );
      await server.close();
    });
}

function settingsOf(options: Options): ServerSettings {
  return {
    place: { home: defaultHome(), url: defaultDatabase() },
    host: options.host,
    port: wholeNumber({ option: "--port", value: options.port, from: 0, to: 65_535 }),
    concurrency: wholeNumber({
      option: "--concurrency",
      value: options.concurrency,
      from: 1,
      to: 1_000,
    }),
    leaseSeconds: wholeNumber({
      option: "--lease-seconds",
      value: options.leaseSeconds,
      from: 1,
      to: 3_600,
    }),
    policyFile: options.config,
  };
}

function wholeNumber(given: { option: string; value: string; from: number; to: number }): number {
  const { option, value, from, to } = given;
  const number = Number(value);
  if (value.trim() !== "" && Number.isInteger(number) && number >= from && number <= to)
    return number;
  throw new InvalidSetting({
    setting: option,
    problem: `expected a whole number from ${from} to ${to}, got "${value}"`,
  });
}

/** Programs that start a server wait for the first line. */
function startLines({
  server,
  settings: { place, concurrency },
}: {
  server: RunningServer;
  settings: ServerSettings;
}): string[] {
  return [
    `Server running at ${server.url}`,
    `Serves ${GRAPH_IDS.length} graphs by LangGraph's API, ${concurrency} runs at once`,
    `Data: ${place.url === undefined ? place.home : databaseName(place.url)}`,
    ...server.notices.map((notice) => `Note: ${notice}`),
  ];
}

/** Resolves at the first signal, so that the server can close; a second one ends the process at once. */
async function untilStopped(): Promise<void> {
  await new Promise<void>((stopped) => {
    let isAsked = false;
    const stop = () => {
      if (isAsked) process.exit(130);
      isAsked = true;
      stopped();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  });
}
