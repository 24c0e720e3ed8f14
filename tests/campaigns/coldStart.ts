/**
 * What the first answer of a new process costs: of the command line, of the package, and of a script with LangChain's
 * agent and the two tools that the task takes. The model answers at once.
 *
 *   npx tsx tests/campaigns/coldStart.ts [--root OTHER_CHECKOUT] [--rounds 5]
 *
 * All alternate, on the compiled code (`npm run build` makes dist) and over a library that is there; figures are medians.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";

const { root, rounds } = optionsOf({ root: ".", rounds: 5 });

const AGENT = "createAgent";
const PARTIES = ["command line", "command line, ranked by words", "package", AGENT];

const PROGRAM = [
  "```ts",
  "const product = await multiply({ a: 3, b: 7 });",
  "return `It is ${await add({ a: product, b: 2 })}.`;",
  "```",
];

interface Start {
  cpuMs: number;
  ms: number;
}

const endpoint = await startChatEndpoint(({ body: { tools, messages = [] } }) => {
  if (!tools?.length) return { content: PROGRAM.join("\n") };
  const name = ["multiply", "add"][messages.filter(({ role }) => role === "tool").length];
  return name ? { calls: [{ name, arguments: { a: 3, b: 7 } }] } : { content: "It is 23." };
});
const home = mkdtempSync(join(tmpdir(), "tulipgraph-start-"));
try {
  // It makes the library and embeds its tools.
  await startOf("command line");
  const starts = new Map(PARTIES.map((party): [string, Start[]] => [party, []]));
  for (let round = 0; round < rounds; round++)
    for (const [party, list] of starts) list.push(await startOf(party));
  const agent = starts.get(AGENT) ?? [];
  writeHead(["first answer of", "CPU ms", `× ${AGENT}`, "ms", `× ${AGENT}`]);
  for (const [party, list] of starts) {
    const figures = (["cpuMs", "ms"] as const).flatMap((key) => {
      const [own, other] = [middleOf(list, key), middleOf(agent, key)];
      return [own.toFixed(0), (own / other).toFixed(1)];
    });
    writeRow([party, ...figures]);
  }
} finally {
  await endpoint.close();
  rmSync(home, { recursive: true, force: true });
}

function middleOf(starts: readonly Start[], key: keyof Start): number {
  const sorted = starts.map((start) => start[key]).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

async function startOf(party: string): Promise<Start> {
  const program = resolve("tests/fixtures/costs/start.mjs");
  const child = spawn(process.execPath, [program, resolve(root), party], {
    env: {
      ...process.env,
      TULIPGRAPH_HOME: home,
      OPENAI_BASE_URL: endpoint.url,
      OPENAI_API_KEY: "none",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const told = (await text(child.stderr)).trimEnd().split("\n");
  if (child.exitCode) write(`not solved: ${told.join(" ").slice(0, 300)}`);
  return JSON.parse(told.at(-1) ?? "") as Start;
}
