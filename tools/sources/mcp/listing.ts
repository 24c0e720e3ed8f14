import { type Client, ProtocolError } from "@modelcontextprotocol/client";
import { z } from "zod";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import { sharedCredentials } from "../credentials/own.js";
import type { ConnectionStore } from "../credentials/store.js";
import { WHOLE_FILE } from "../problems.js";
import { connectedOrigin, type ConnectedListing, type ConnectedSource } from "../../remote.js";
import {
  type Connection,
  type KnownServer,
  LISTED_AT_MOST_MS,
  openConnection,
  START_MS,
} from "./connection.js";
import { causeText, connectionProblem } from "./failures.js";
import { type McpSettings, mcpPlace } from "./settings.js";
import { type ListedTool, definitionsOf } from "./toolDefinition.js";

/** What a home stores about a server's last listing. */
export interface McpListed {
  /** Milliseconds since 1970. */
  at: number;
  /** For how long it is valid, in milliseconds. */
  ttlMs: number;
  /** Absent if what the server says about itself is too long to store. */
  known?: KnownServer;
}

/** Tools taken from one server. */
const MOST_TOOLS = 20_000;

/** Pages of one list; some may be empty. */
const MOST_PAGES = 2_000;

/** Milliseconds for a whole list. */
const LISTING_MS = 300_000;

/** Milliseconds for which a list is valid if its server does not say. */
const LISTED_FOR_MS = 3_600_000;

/** Characters stored of what a server says about itself. */
const LONGEST_KNOWN = 50_000;

/** Only what is needed to go on; each tool is checked by itself, so that a faulty one does not affect others. */
const pageSchema = z.looseObject({
  tools: z.preprocess(inList, z.array(z.unknown())),
  // Some servers count their pages, or have an object, and want that back.
  nextCursor: z
    .union([z.string(), z.number(), z.looseObject({})])
    .nullish()
    .catch(undefined),
  ttlMs: z.coerce.number().nonnegative().nullish().catch(undefined),
});

/** Tools in a map from their names, as a list. */
function inList(tools: unknown): unknown {
  if (!isSchema(tools)) return tools ?? [];
  return Object.entries(tools).map(([name, tool]) => ({ name, ...Object(tool) }));
}

/** Lists the tools of a server, page by page, and makes definitions of them. */
export async function listServer(
  source: ConnectedSource,
  connection: Connection,
  timeoutMs: number,
): Promise<ConnectedListing> {
  const { client, known } = connection;
  const { listed, ttlMs, excess } = await listAll(client, timeoutMs);
  const { title, name } = client.getServerVersion() ?? {};
  const about = { title: title ?? name, instructions: client.getInstructions() };
  const { tools, problems } = definitionsOf(source, about, listed);
  const isShort = JSON.stringify(known).length <= LONGEST_KNOWN;
  const kept: McpListed = {
    at: Date.now(),
    ttlMs: Math.min(ttlMs, LISTED_AT_MOST_MS),
    ...(isShort && { known }),
  };
  const origin = { file: connectedOrigin(source), line: 1, exportName: WHOLE_FILE };
  return {
    source: { ...source, listed: { ...kept } },
    listing: {
      tools,
      problems: [...problems, ...excess.map((problem) => ({ ...origin, problem }))],
    },
  };
}

/** What a home stores about the last listing, which only this folder writes; undefined before the first one. */
export function listedOf({ listed }: Pick<ConnectedSource, "listed">): McpListed | undefined {
  return listed as McpListed | undefined;
}

/** Whether a listing is no longer valid. */
export function isStale(source: Pick<ConnectedSource, "listed">): boolean {
  const listed = listedOf(source);
  return !listed || Date.now() - listed.at >= listed.ttlMs;
}

async function listAll(client: Client, timeoutMs: number) {
  const listed: ListedTool[] = [];
  const excess: string[] = [];
  const cursors = new Set<string>();
  const endAt = performance.now() + LISTING_MS;
  let ttlMs = LISTED_FOR_MS;
  const isAnnounced = client.getServerCapabilities()?.tools !== undefined;
  for (let cursor: string | number | object | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor };
    const asking = client.request({ method: "tools/list", params }, pageSchema, {
      timeout: timeoutMs,
    });
    // Some servers have tools without announcing them; others refuse the question, or a page that they have named.
    const page = await asking.catch((error: unknown) => {
      const isLater = cursor !== undefined;
      if ((isAnnounced && !isLater) || !(error instanceof ProtocolError)) throw error;
      if (isLater)
        excess.push("it refuses the next page of its list; the tools up to there are taken");
      return { tools: [], nextCursor: undefined, ttlMs: undefined };
    });
    if (cursor === undefined) ttlMs = page.ttlMs ?? LISTED_FOR_MS;
    const room = MOST_TOOLS + 1 - listed.length;
    listed.push(...page.tools.slice(0, room).map((tool) => Object(tool) as ListedTool));
    // Some servers end their list with an empty cursor.
    cursor = page.nextCursor || undefined;
    const isOver =
      cursor !== undefined && (cursors.size >= MOST_PAGES || performance.now() > endAt);
    if (listed.length > MOST_TOOLS || (cursor !== undefined && listed.length === MOST_TOOLS)) {
      excess.push(`it lists more than ${MOST_TOOLS} tools; the first ${MOST_TOOLS} are taken`);
    } else if (cursors.has(JSON.stringify(cursor))) {
      excess.push("its list of tools returns to an earlier page; the tools up to there are taken");
    } else if (isOver) {
      excess.push("its list of tools does not end; the tools up to there are taken");
    }
    if (cursor === undefined || excess.length > 0) break;
    cursors.add(JSON.stringify(cursor));
  }
  return { listed: listed.slice(0, MOST_TOOLS), ttlMs, excess };
}

/**
 * Connects to an MCP server and lists the tools that it offers.
 *
 * @param options.startMs time limit in milliseconds for its start, and for each page of its list
 * @throws McpFailed in one line: what went wrong and what to do
 * @example
 * const settings = { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"], env: {}, cwd: "." };
 * const { source, listing } = await readServer({ name: "memory", settings });
 */
export async function readServer(options: {
  name: string;
  settings: McpSettings;
  /** With the login that the home shares, if there is one. */
  connections?: ConnectionStore;
  startMs?: number;
}): Promise<ConnectedListing> {
  const { name, settings, connections, startMs: timeoutMs = START_MS } = options;
  const source: ConnectedSource = { name, kind: "mcp", settings: { ...settings } };
  const credentials = await sharedCredentials({ store: connections, source, placeOf: mcpPlace });
  const events = {
    onQuestion: async () => ({ action: "decline" as const }),
    onListChanged() {},
    onClosed() {},
  };
  const connection = await openConnection({ source, timeoutMs, events, credentials });
  try {
    return await listServer(source, connection, timeoutMs);
  } catch (error) {
    const { reach } = connection;
    const fault = connection.brokenBy();
    throw connectionProblem({
      name,
      reach,
      timeoutMs,
      error,
      fault,
      stderr: connection.stderr() || causeText(error, reach),
    });
  } finally {
    await connection.close();
  }
}
