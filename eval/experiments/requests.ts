/**
 * How long other users of a server wait while it handles requests of any length: `langgraphjs dev` on this machine is
 * asked for `/ok` every 100 ms while requests of 1 KB to 10 MB run one after another.
 *
 *   npx tsx eval/experiments/requests.ts --graph tulip --sizes 1000,10000,100000,1000000,10000000
 *
 * A run that takes longer than --seconds counts as that long, and the server is restarted.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { OFFLINE_MODEL } from "../../state/context.js";
import { type LangGraphServer, ROOT, startServer } from "../../tests/fakes/langgraphServer.js";
import { quantile } from "../statistics/descriptive.js";
import { optionsOf, write } from "./scriptSupport.js";

/** Milliseconds between two questions to `/ok`. */
const PAUSE_MS = 100;

const WORDS =
  "add find the invoice of march then multiply 4 and 5 , send it to Bob ; what is".split(" ");

const KINDS: Record<string, (length: number) => string> = {
  words: (length) => repeated(length, (at) => `${WORDS[(at * 7 + (at % 11)) % WORDS.length]} `),
  sums: (length) => repeated(length, (at) => `Add ${at} and ${at * 3}. `),
  "one word": (length) => "a".repeat(length),
  brackets: (length) => "(".repeat(length),
  digits: (length) => "7".repeat(length),
  commas: (length) => repeated(length, () => ", "),
};

const { graph, sizes, seconds } = optionsOf({
  graph: "tulip",
  sizes: "1000,10000,100000,1000000,10000000",
  seconds: 60,
});

const most = seconds * 1000;
let server = await start();
await measure("What is 2 + 3?");
for (const size of sizes.split(",").map(Number)) {
  const waits: number[] = [];
  const runs: { kind: string; ms: number; outcome: string }[] = [];
  for (const [kind, make] of Object.entries(KINDS)) {
    const run = await measure(make(size));
    waits.push(...run.waits);
    runs.push({ kind, ...run });
  }
  print({ size, waits, runs });
}
await server.stop();

function start(): Promise<LangGraphServer> {
  const command = join(ROOT, "node_modules/.bin/langgraphjs");
  return startServer({ command: [command, "dev", "--no-reload"] });
}

async function measure(request: string) {
  const running = new AbortController();
  const asking = askWhether(running.signal);
  const started = performance.now();
  const outcome = await send(request);
  const ms = performance.now() - started;
  running.abort();
  const waits = await asking;
  if (ms >= most) {
    await server.stop();
    server = await start();
  }
  return { waits, ms, outcome };
}

/** The outcome of a run: its status, or the beginning of the error. */
async function send(request: string): Promise<string> {
  const body = JSON.stringify({
    assistant_id: graph,
    input: { request },
    context: { model: OFFLINE_MODEL },
  });
  const headers = { "content-type": "application/json" };
  const signal = AbortSignal.timeout(most);
  try {
    const answer = await fetch(`${server.url}/runs/wait`, {
      method: "POST",
      headers,
      body,
      signal,
    });
    const end = (await answer.json()) as { status?: string; __error__?: { message: string } };
    return end.status ?? end.__error__?.message.slice(0, 60) ?? "no answer";
  } catch (error) {
    return String(error);
  }
}

/** How long each answer took, in milliseconds; questions do not wait for earlier answers. */
async function askWhether(ended: AbortSignal): Promise<number[]> {
  const asked: Promise<number>[] = [];
  while (!ended.aborted) {
    asked.push(ask());
    await sleep(PAUSE_MS);
  }
  return Promise.all(asked);
}

async function ask(): Promise<number> {
  const started = performance.now();
  const signal = AbortSignal.timeout(most);
  // No answer is a result here, not an error.
  await fetch(`${server.url}/ok`, { signal }).then(
    (answer) => answer.text(),
    () => "",
  );
  return performance.now() - started;
}

function print(of: {
  size: number;
  waits: number[];
  runs: { kind: string; ms: number; outcome: string }[];
}): void {
  const at = (share: number) => Math.round(quantile(of.waits, share));
  const longest = of.runs.toSorted((one, other) => other.ms - one.ms)[0];
  write(
    `${of.size} characters: /ok asked ${of.waits.length} times, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms; ` +
      `longest run ${Math.round(longest?.ms ?? 0)} ms (${longest?.kind}: ${longest?.outcome})`,
  );
}

function repeated(length: number, part: (at: number) => string): string {
  const parts: string[] = [];
  for (let written = 0; written < length; written += parts.at(-1)?.length ?? 1) {
    parts.push(part(parts.length));
  }
  return parts.join("").slice(0, length);
}
