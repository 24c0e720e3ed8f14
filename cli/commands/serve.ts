import { spawn } from "node:child_process";
import type { CommandForm } from "../command.js";
import { findGraph, loadOwnGraph } from "../../graphs/ownGraphs.js";
import { isProjectFile, openProject } from "../../graphs/projects.js";
import { type Started, firstProcess, startProcesses } from "../../server/processes.js";
import { DEFAULT_SETTINGS, type ServerSettings } from "../../server/server.js";
import { databaseName } from "../../storage/postgres/unavailable.js";
import { defaultDatabase, defaultHome } from "../../home/home.js";
import { untilToldToEnd } from "../exit.js";
import { tell } from "../printing/print.js";
import { collected, toCount, toPort } from "../options.js";

interface Options {
  host: string;
  port: number;
  processes: number;
  concurrency: number;
  leaseSeconds: number;
  config?: string[];
  graph?: string[];
  open?: boolean;
}

/** `tulipgraph serve`: serves the graphs through LangGraph's API. */
export const SERVE: CommandForm = {
  about: "Serve the graphs through the LangGraph server API",
  options: {
    "--host <host>": { text: "address to listen on", usual: DEFAULT_SETTINGS.host },
    "--port <n>": {
      text: "port to listen on; 0 for any free port",
      read: toPort,
      usual: DEFAULT_SETTINGS.port,
    },
    "--processes <n>": {
      text: "processes that share the port; one for each core",
      read: toCount,
      usual: 1,
    },
    "--concurrency <n>": {
      text: "concurrent runs in each process",
      read: toCount,
      usual: DEFAULT_SETTINGS.concurrency,
    },
    "--lease-seconds <n>": {
      text: "seconds after which the runs of a dead process are taken over",
      read: toCount,
      usual: DEFAULT_SETTINGS.leaseSeconds,
    },
    "--open": "open the page in a browser",
    "--graph <name=file>": {
      text: "also serve a wiring of your own; repeatable",
      read: collected,
    },
    "--config <file.json>": {
      text: "policy file (who may run what, and how much), or the langgraph.json of a LangGraph.js project, whose graphs are served, too; repeatable",
      read: collected,
    },
  },
  examples: [
    "tulipgraph serve --open",
    "TULIPGRAPH_DATABASE_URL=postgres://me@db/tulip tulipgraph serve --host 0.0.0.0 --port 8123",
  ],
  run: serve,
};

async function serve(options: Options): Promise<number | undefined> {
  const first = firstProcess();
  if (first) {
    await serveAsOne(options, first);
    return undefined;
  }
  const serving = await (options.processes > 1
    ? startProcesses(options.processes, tell)
    : serveHere(options));
  if (typeof serving === "number") return serving;
  serving.lines.forEach(tell);
  if (options.open) openPage(serving.url);
  await untilToldToEnd();
  tell("Closing: runs finish or are left to other processes; press Ctrl-C again to stop at once");
  await serving.close();
  return undefined;
}

async function serveAsOne(options: Options, first: NonNullable<ReturnType<typeof firstProcess>>) {
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

async function serveHere(options: Options): Promise<Started & { close: () => Promise<void> }> {
  const { config = [], processes, open: _open, graph = [], ...given } = options;
  // A wiring that cannot be used is told now, not with its first run.
  for (const each of graph) await loadOwnGraph(findGraph(each));
  const projects = config.filter(isProjectFile).map(openProject);
  const { app } = projects.find((project) => project.app) ?? {};
  const { auth } = projects.find((project) => project.auth) ?? {};
  const { ui } = projects.find((project) => project.ui) ?? {};
  const policyFile = config.find((file) => !isProjectFile(file));
  const place = { home: defaultHome(), url: defaultDatabase() };
  const settings: ServerSettings = { ...given, place, policyFile, app, auth, ui };
  const { startServer } = await import("../../server/serve.js");
  const { url, graphs, notices, close } = await startServer(settings, (database) =>
    tell(`Waiting for the database ${database}, which is not answering`),
  );
  const { isLoopback } = await import("../../server/access/guard.js");
  const atOnce = settings.concurrency * processes;
  const lines = [
    // Programs that start a server wait for this line.
    `Server running at ${url}`,
    `Serving ${graphs.length} graphs, ${atOnce} runs at a time; open the address in a browser for the page`,
    `Data: ${place.url === undefined ? place.home : databaseName(place.url)}`,
    ...(isLoopback(given.host) ? [] : [SECOND_LOOK]),
    ...[...projects.flatMap((project) => project.notices), ...notices].map((one) => `Note: ${one}`),
  ];
  return { url, lines, close };
}

/** Beyond this machine, whoever reads an answer cannot see what was done. */
const SECOND_LOOK =
  "Recommended here: the setting reflect=writes, which has a model check answers about changes against what was done, in one more call";

const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

function openPage(url: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(program, [...args, url], { detached: true, stdio: "ignore" });
  opener.on("error", () => tell(`Could not open a browser; open ${url} yourself`));
  opener.unref();
}
