import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";
import { WHOLE_FILE } from "../problems.js";
import { type ConnectedListing, type ConnectedSource, connectedOrigin } from "../connected.js";
import { LISTED_AT_MOST_MS, LISTED_FOR_MS, MOST_TOOLS } from "./bounds.js";
import type { Connection, KnownServer } from "./connection.js";
import { type ListedTool, type ServerAbout, definitionsOf } from "./toolDefinition.js";

/** What a home stores about a server's last listing. */
export interface McpListed {
  /** Milliseconds since 1970. */
  at: number;
  /** For how long it is valid, in milliseconds. */
  ttlMs: number;
  /** Absent if what the server says about itself is too long to store. */
  known?: KnownServer;
}

/** Characters stored of what a server says about itself. */
const LONGEST_KNOWN = 50_000;

/** Only what is needed to go on; each tool is checked by itself, so that a faulty one does not affect others. */
const pageSchema = z.looseObject({
  tools: z.array(z.unknown()),
  nextCursor: z.string().nullish(),
  ttlMs: z.number().nonnegative().nullish(),
});

/**
 * Lists the tools of a server, page by page, and makes definitions of them.
 *
 * @param options.timeoutMs time limit for each page
 */
export async function listServer(options: {
  source: ConnectedSource;
  connection: Connection;
  timeoutMs: number;
}): Promise<ConnectedListing> {
  const { source, connection, timeoutMs } = options;
  const { client, known } = connection;
  const { listed, ttlMs, excess } = await listAll(client, timeoutMs);
  const { tools, problems } = definitionsOf({ source, about: aboutOf(client), listed });
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
  let ttlMs = LISTED_FOR_MS;
  if (!client.getServerCapabilities()?.tools) return { listed, ttlMs, excess };
  for (let cursor: string | undefined; ;) {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: "tools/list", params }, pageSchema, {
      timeout: timeoutMs,
    });
    if (cursor === undefined) ttlMs = page.ttlMs ?? LISTED_FOR_MS;
    listed.push(...page.tools.map((tool) => Object(tool) as ListedTool));
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined) break;
    if (cursors.has(cursor)) {
      excess.push("its list of tools returns to an earlier page; the tools up to there are taken");
      break;
    }
    if (listed.length >= MOST_TOOLS) {
      excess.push(`it lists more than ${MOST_TOOLS} tools; the first ${MOST_TOOLS} are taken`);
      break;
    }
    cursors.add(cursor);
  }
  return { listed: listed.slice(0, MOST_TOOLS), ttlMs, excess };
}

function aboutOf(client: Client): ServerAbout {
  const { title, name } = client.getServerVersion() ?? {};
  return { title: title ?? name, instructions: client.getInstructions() };
}
