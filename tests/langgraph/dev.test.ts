import { once } from "node:events";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterEach, describe, expect, it } from "vitest";
import {
  type LangGraphServer,
  ROOT,
  isAlive,
  seenPids,
  startServer,
} from "../fakes/langgraphServer.js";

const TULIPGRAPH = join(ROOT, "bin/tulipgraph.mjs");
const LANGGRAPHJS = join(ROOT, "node_modules/.bin/langgraphjs");

/** Nothing in the environment turns the analytics of LangGraph's command line off. */
const ANALYTICS = { LANGGRAPH_CLI_NO_ANALYTICS: undefined };

let server: LangGraphServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

describe("tulipgraph dev", () => {
  it.each([
    ["SIGINT", ["dev", "--"]],
    ["SIGTERM", ["dev", "--", "--no-reload"]],
    ["SIGHUP", ["dev", "--no-reload"]],
  ] as const)(
    "serves the graphs without a word to the network, and on %s ends with all that it started",
    async (signal, args) => {
      server = await startServer({
        command: [process.execPath, TULIPGRAPH, ...args],
        env: ANALYTICS,
      });
      const client = new Client({ apiUrl: server.url });
      const assistants = await client.assistants.search({ limit: 100 });
      expect(assistants.map(({ graph_id }) => graph_id)).toContain("cot_tulip");
      const pids = seenPids(server);
      expect(pids.length).toBeGreaterThan(2);
      expect(server.seen().filter(({ host }) => host !== undefined)).toEqual([]);
      server.process.kill(signal);
      // Not "exit": what it has printed may still be on its way then.
      const [code] = await once(server.process, "close");
      expect(code).toBe(130);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(server.output()).toMatch(/Flushing to persistent storage/);
    },
    300_000,
  );
});

describe("langgraphjs dev", () => {
  it("starts without an answer to its analytics, the only connection that it wants", async () => {
    server = await startServer({ command: [LANGGRAPHJS, "dev", "--no-reload"], env: ANALYTICS });
    const { url, seen } = server;
    expect(await new Client({ apiUrl: url }).assistants.search()).not.toEqual([]);
    const wanted = seen().filter(({ host }) => host !== undefined);
    expect(wanted).toHaveLength(1);
    expect(wanted[0]?.program).toMatch(/langgraphjs$/);
  }, 900_000);
});
