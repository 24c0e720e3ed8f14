import { once } from "node:events";
import type { McpServerFactory } from "@modelcontextprotocol/server";
import type { CommandForm } from "../command.js";
import { parseSettings } from "../../state/settings.js";
import { untilToldToEnd } from "../exit.js";
import { settingsOf, toPort } from "../options.js";
import { tell } from "../printing/print.js";
import { whileWorking } from "../printing/longWork.js";

const USUAL_PORT = 8090;

/** `tulipgraph mcp`: serves a library behind a few tools to MCP clients such as Claude Desktop and Cursor. */
export const MCP: CommandForm = {
  about: "Serve a library of any size to MCP clients through a few tools",
  options: {
    "--http [port]": {
      text: `serve over HTTP on the loopback interface instead of standard input and output (default port: ${USUAL_PORT}; 0: any free port)`,
      read: toPort,
    },
    "--allow-writes": "make writes without asking a person",
  },
  examples: ["tulipgraph mcp --library office", "tulipgraph mcp --library office --http"],
  run: serve,
};

async function serve(options: {
  library?: string;
  http?: number | true;
  allowWrites?: boolean;
}): Promise<void> {
  const { http, allowWrites = false } = options;
  // Output of tools and packages in this process must not get into the protocol on stdout.
  const output = keepOutput();
  try {
    const { openToolbox } = await import("../../agents/toolbox.js");
    const { mcpServers } = await import("../../agents/mcp/mcpServer.js");
    const { library, embeddings } = parseSettings(await settingsOf(options));
    const toolbox = await whileWorking(`opening the library ${library}`, () =>
      openToolbox({ library, embeddings }),
    );
    const servers = mcpServers({ toolbox, allowWrites });
    // Builds the index while the client starts; the first search reports any error.
    toolbox.find(["anything"]).catch(() => undefined);
    await (http === undefined
      ? serveStdio(servers, output.free)
      : serveHttp(servers, http === true ? USUAL_PORT : http));
  } finally {
    output.undo();
  }
}

/** Redirects stdout to stderr, and returns a stream that still writes to stdout. */
function keepOutput() {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  const free = Object.create(stdout, { write: { value: write } }) as typeof stdout;
  stdout.write = stderr.write.bind(stderr);
  return {
    free,
    undo() {
      stdout.write = write;
    },
  };
}

/** Serves until the client closes stdin or this process is told to end. */
async function serveStdio(servers: McpServerFactory, output: NodeJS.WriteStream): Promise<void> {
  const { serveStdio: serveOver, StdioServerTransport } =
    await import("@modelcontextprotocol/server/stdio");
  const transport = new StdioServerTransport(process.stdin, output);
  const handle = serveOver(servers, { transport });
  await Promise.race([once(process.stdin, "close"), once(process.stdin, "end"), untilToldToEnd()]);
  await handle.close();
}

async function serveHttp(servers: McpServerFactory, port: number): Promise<void> {
  const { serveHttp: listen } = await import("../../agents/mcp/serveHttp.js");
  const server = await listen(servers, port);
  tell(`MCP server on ${server.url} (Ctrl-C ends it)`);
  await untilToldToEnd();
  await server.close();
}
