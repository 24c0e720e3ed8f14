/**
 * Runs LangGraph's own tests of its API (`libs/langgraph-api/tests/api.test.mts` of langchain-ai/langgraphjs, or
 * `auth.test.mts`) against this server, which serves the graphs of those tests.
 *
 *   npx tsx tests/campaigns/langgraphSuite.ts --folder DIR [--suite auth] [--only TITLE] [--least 63] [--patience 1]
 *
 * DIR holds `tests/` and `src/` as they are there, and has the packages installed that they import (vitest, wait-port,
 * postgres, jose, `@langchain/langgraph`, `-sdk` and `-api`, hono). They run with another port than theirs; what they send
 * to `/internal/truncate`, a route for tests alone, is done here through the public API. On a busy machine, `--patience 4`
 * gives each test four times as long.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { serve } from "@hono/node-server";
import { Client } from "@langchain/langgraph-sdk";
import { Hono } from "hono";
import { optionsOf, write } from "./scriptSupport.js";

const { folder, suite, only, least, patience } = optionsOf({
  folder: "",
  suite: "api",
  only: "",
  least: 63,
  patience: 1,
});

/** Tests of a function of its own, which no server is asked about. */
const OF_ITS_OWN = "auth filter matching";

/** As LangGraph's own configuration says, in milliseconds. */
const TIMEOUT = 30_000;

/** Where a client looks that is given no address, as one in the tests' app is. */
const PORT = 8123;
const TRUNCATE_PORT = 8124;
const MOST = 1_000;
const TESTS = "tests/tulipgraph.test.mts";

const home = mkdtempSync(join(tmpdir(), "langgraph-suite-"));
const hasAuth = suite === "auth";
const config = resolve(folder, `tests/graphs/langgraph${hasAuth ? ".auth" : ""}.json`);
const COMMAND = "bin/tulipgraph.mjs";
const env = { ...process.env, TULIPGRAPH_HOME: home };
/** Sees what all users have. */
const apiKey = hasAuth
  ? execFileSync("node", [COMMAND, "keys", "create", "--scope", "admin"], { env }).toString().trim()
  : null;
const server = spawn("node", [COMMAND, "serve", "--port", `${PORT}`, "--config", config], {
  env,
  stdio: ["ignore", "inherit", "pipe"],
});
const front = serve({ fetch: truncating().fetch, port: TRUNCATE_PORT, hostname: "localhost" });
try {
  await untilServing();
  const { passed, failed } = await report();
  write(`${passed} of ${passed + failed.length} tests pass`);
  for (const title of failed) write(`- ${title}`);
  process.exitCode = passed >= least ? 0 : 1;
} finally {
  front.close();
  server.kill("SIGKILL");
  await once(server, "exit");
  rmSync(home, { recursive: true, force: true });
}

async function untilServing(): Promise<void> {
  server.stderr.on("data", (text: Buffer) => process.stderr.write(text));
  while (!String((await once(server.stderr, "data"))[0]).includes("Server running"));
}

function truncating(): Hono {
  const client = new Client({ apiUrl: `http://127.0.0.1:${PORT}`, apiKey });
  const app = new Hono();
  app.post("/internal/truncate", async (context) => {
    const wanted =
      await context.req.json<Partial<Record<"threads" | "store" | "assistants", boolean>>>();
    if (wanted.threads) {
      const threads = await client.threads.search({ limit: MOST, select: ["thread_id"] });
      for (const { thread_id } of threads)
        await client.threads.delete(thread_id).catch(() => undefined);
    }
    if (wanted.store) {
      const { items } = await client.store.searchItems([], { limit: MOST });
      for (const { namespace, key } of items) await client.store.deleteItem(namespace, key);
    }
    return context.json({ ok: true });
  });
  return app;
}

interface Report {
  testResults: {
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

async function report(): Promise<{ passed: number; failed: string[] }> {
  const file = join(home, "report.json");
  const text = readFileSync(resolve(folder, `tests/${suite}.test.mts`), "utf8");
  const moved = text
    .replaceAll(/localhost:202[45]/g, `localhost:${PORT}`)
    .replaceAll(/timeout: ([\d_]+)/g, (_all, ms: string) => `timeout: ${patience} * ${ms}`)
    .replaceAll("truncate(API_URL", `truncate("http://localhost:${TRUNCATE_PORT}"`);
  writeFileSync(resolve(folder, TESTS), moved);
  const filter = only === "" ? [] : ["-t", only];
  const patient = `--testTimeout=${TIMEOUT * patience}`;
  const written = ["--reporter=json", `--outputFile=${file}`];
  const args = ["vitest", "run", TESTS, ...filter, patient, ...written];
  const own = { ...process.env, CI: "" };
  await once(
    spawn("npx", args, { cwd: folder, env: own, stdio: ["ignore", "ignore", "inherit"] }),
    "exit",
  );
  const { testResults } = JSON.parse(readFileSync(file, "utf8")) as Report;
  const results = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ fullName }) => !fullName.startsWith(OF_ITS_OWN));
  const failed = results.filter(({ status }) => status === "failed");
  return {
    passed: results.filter(({ status }) => status === "passed").length,
    failed: failed.map(
      ({ fullName, failureMessages: [message = ""] }) => `${fullName}: ${message.slice(0, 300)}`,
    ),
  };
}
