import { spawn } from "node:child_process";
import { Command } from "commander";
import { requireExtra } from "../../common/extras.js";
import { GRAPH_IDS } from "../../graphs/index.js";
import type { RunningServer } from "../../server/serve.js";
import { DEFAULT_SETTINGS, type ServerSettings } from "../../server/server.js";
import { databaseName } from "../../storage/away.js";
import { defaultDatabase, defaultHome } from "../../nodes/workspace/home.js";
import { examples, toCount, toPort } from "../options.js";

interface Options {
  host: string;
  port: number;
  concurrency: number;
  leaseSeconds: number;
  config?: string;
  open?: boolean;
}

/** `tulipgraph serve`: serves the graphs through LangGraph's API. */
export function serveCommand(): Command {
  const { host, port, concurrency, leaseSeconds } = DEFAULT_SETTINGS;
  return new Command("serve")
    .description("Serve the graphs through the LangGraph server API")
    .option("--host <host>", "address to listen on", host)
    .option("--port <n>", "port to listen on; 0 for any free port", toPort, port)
    .option("--concurrency <n>", "runs that this process executes at once", toCount, concurrency)
    .option(
      "--lease-seconds <n>",
      "how long a process that died keeps its runs",
      toCount,
      leaseSeconds,
    )
    .option("--open", "open the page in a browser")
    .option("--config <file.json>", "the operator's policy file: who may run what, and how much")
    .addHelpText(
      "after",
      examples([
        "tulipgraph serve --open",
        "TULIPGRAPH_DATABASE_URL=postgres://me@db/tulip tulipgraph serve --host 0.0.0.0 --port 8123",
      ]),
    )
    .action(async ({ config: policyFile, open, ...options }: Options) => {
      const place = { home: defaultHome(), url: defaultDatabase() };
      const settings: ServerSettings = { ...options, place, policyFile };
      requireExtra("server");
      const { startServer } = await import("../../server/serve.js");
      const server = await startServer(settings, (database) =>
        process.stderr.write(`Waiting for the database ${database}, which does not answer\n`),
      );
      process.stderr.write(`${startLines(server, settings).join("\n")}\n`);
      if (open) openPage(server.url);
      await untilStopped();
      process.stderr.write(
        "Closing: runs end or are left to other processes; Ctrl-C again ends at once\n",
      );
      await server.close();
    });
}

/** Programs that start a server wait for the first line. */
function startLines(server: RunningServer, { place, concurrency }: ServerSettings): string[] {
  return [
    `Server running at ${server.url}`,
    `Serves ${GRAPH_IDS.length} graphs by LangGraph's API, ${concurrency} runs at once; in a browser, the page`,
    `Data: ${place.url === undefined ? place.home : databaseName(place.url)}`,
    ...server.notices.map((notice) => `Note: ${notice}`),
  ];
}

/** What opens an address in a browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** Opens the page in the browser of the person who starts the server, if there is one. */
function openPage(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  opener.on("error", () =>
    process.stderr.write(`No browser could be opened; open ${url} yourself\n`),
  );
  opener.unref();
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
