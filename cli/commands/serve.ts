import { spawn } from "node:child_process";
import { Command } from "commander";
import { findGraph, graphNames } from "../../graphs/ownGraphs.js";
import { type Started, firstProcess, startProcesses } from "../../server/processes.js";
import { DEFAULT_SETTINGS, type ServerSettings } from "../../server/server.js";
import { databaseName } from "../../storage/postgres/unavailable.js";
import { defaultDatabase, defaultHome } from "../../home/home.js";
import { untilToldToEnd } from "../ending.js";
import type { Exit } from "../exit.js";
import { collected, examples, toCount, toPort } from "../options.js";

interface Options {
  host: string;
  port: number;
  processes: number;
  concurrency: number;
  leaseSeconds: number;
  config?: string;
  graph: string[];
  open?: boolean;
}

/** `tulipgraph serve`: serves the graphs through LangGraph's API. */
export function serveCommand(exit: Exit): Command {
  const { host, port, concurrency, leaseSeconds } = DEFAULT_SETTINGS;
  return new Command("serve")
    .description("Serve the graphs through the LangGraph server API")
    .option("--host <host>", "address to listen on", host)
    .option("--port <n>", "port to listen on; 0 for any free port", toPort, port)
    .option("--processes <n>", "processes that share the port; one for each core", toCount, 1)
    .option("--concurrency <n>", "concurrent runs in each process", toCount, concurrency)
    .option(
      "--lease-seconds <n>",
      "seconds after which the runs of a dead process are taken over",
      toCount,
      leaseSeconds,
    )
    .option("--open", "open the page in a browser")
    .option("--graph <name=file>", "also serve a wiring of your own; repeatable", collected, [])
    .option("--config <file.json>", "policy file: who may run what, and how much")
    .addHelpText(
      "after",
      examples([
        "tulipgraph serve --open",
        "TULIPGRAPH_DATABASE_URL=postgres://me@db/tulip tulipgraph serve --host 0.0.0.0 --port 8123",
      ]),
    )
    .action(async (options: Options) => {
      const first = firstProcess();
      if (first) return await serveAsOne(options, first);
      const serving = await (options.processes > 1
        ? startProcesses(options.processes, tell)
        : serveHere(options));
      if (typeof serving === "number") return exit(serving);
      serving.lines.forEach(tell);
      if (options.open) openPage(serving.url);
      await untilToldToEnd();
      tell(
        "Closing: runs finish or are left to other processes; press Ctrl-C again to stop at once",
      );
      await serving.close();
    });
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Serves in one of several processes. */
async function serveAsOne(
  options: Options,
  first: NonNullable<ReturnType<typeof firstProcess>>,
): Promise<void> {
  const toldToEnd = first.untilEnd();
  try {
    const { url, lines, close } = await serveHere(options);
    first.tellStart({ url, lines });
    await toldToEnd;
    await close();
  } finally {
    // The channel to the first process would keep one that cannot start from ending.
    first.leave();
  }
}

/** Serves in this process. */
async function serveHere(options: Options): Promise<Started & { close: () => Promise<void> }> {
  const { config: policyFile, processes, open: _open, graph, ...given } = options;
  graph.forEach(findGraph);
  const place = { home: defaultHome(), url: defaultDatabase() };
  const settings: ServerSettings = { ...given, place, policyFile };
  const { startServer } = await import("../../server/serve.js");
  const { url, notices, close } = await startServer(settings, (database) =>
    tell(`Waiting for the database ${database}, which is not answering`),
  );
  const { isLoopback } = await import("../../server/access/guard.js");
  const atOnce = settings.concurrency * processes;
  const lines = [
    // Programs that start a server wait for this line.
    `Server running at ${url}`,
    `Serving ${graphNames().length} graphs through the LangGraph API, ${atOnce} runs at a time; open the address in a browser for the page`,
    `Data: ${place.url === undefined ? place.home : databaseName(place.url)}`,
    ...(isLoopback(given.host) ? [] : [SECOND_LOOK]),
    ...notices.map((notice) => `Note: ${notice}`),
  ];
  return { url, lines, close };
}

/** Beyond this machine, whoever reads an answer cannot see what was done. */
const SECOND_LOOK =
  "Recommended here: the setting reflect=writes, which has a model check answers about changes against what was done, in one more call";

/** What opens an address in a browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens the page in the browser of the person who starts the server, if there is one. */
function openPage(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  opener.on("error", () => tell(`Could not open a browser; open ${url} yourself`));
  opener.unref();
}
