/**
 * What runs of `tulip` cost with a model that answers at once: processor time and memory for each of 60 tasks, and what
 * long programs and long threads store; and what as many steps cost that do nothing, and LangChain's agent with all tools
 * bound, which takes three calls of the model for a task of two calls.
 *
 *   npx tsx tests/campaigns/runCosts.ts [--root OTHER_CHECKOUT] [--rounds 3]
 *
 * Each job runs in a process of its own on the compiled code (`npm run build` makes dist), with checkpoints in SQLite,
 * and is measured once a first request has loaded what it takes; this process serves the model. With another checkout,
 * the jobs of the two alternate.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type ChatBody, type Completion, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";

const { root, rounds, tasks, calls, turns, only } = optionsOf({
  root: "",
  rounds: 3,
  /** Tasks whose costs are measured, after a third as many that are not. */
  tasks: 60,
  /** Calls of a long program. */
  calls: 200,
  /** Requests on one thread. */
  turns: 50,
  /** A part of the name of the jobs that are wanted. */
  only: "",
});

interface Job {
  requests: string[];
  warmUp?: number;
  library: string;
  file?: string;
  oneThread?: boolean;
  /** Stages that do nothing, in place of `tulip`. */
  empty?: number;
  /** LangChain's agent with all tools bound, in place of `tulip`: without checkpoints, or with the same. */
  agent?: "plain" | "saved";
  settings?: object;
}

interface Cost {
  cpuMs: number;
  seconds: number;
  rss: number;
  bytes: Record<string, number>;
  notSolved: string[];
}

/** Stages of a run that do nothing, about as many as a task takes. */
const EMPTY = 12;

const sum = (_: unknown, at: number) => `What is ${at + 3} * 7 + ${at + 2}?`;

const TASKS: Job = {
  requests: Array.from({ length: tasks + Math.ceil(tasks / 3) }, sum),
  warmUp: Math.ceil(tasks / 3),
  library: "math",
};

const JOBS: Record<string, Job> = {
  [`${tasks} tasks`]: TASKS,
  [`${tasks} tasks, ranked by words`]: { ...TASKS, settings: { ranking: "words" } },
  [`${tasks} tasks of createAgent`]: { ...TASKS, agent: "plain" },
  [`${tasks} tasks of createAgent, with checkpoints`]: { ...TASKS, agent: "saved" },
  [`${tasks} runs of ${EMPTY} stages that do nothing`]: { ...TASKS, empty: EMPTY },
  [`${calls} dependent calls`]: {
    requests: ["Count to 2", `Count to ${calls}`],
    warmUp: 1,
    library: "math",
  },
  [`${calls} results of 10 KB`]: {
    requests: [2, calls].map((count) => `Read ${count} pages and say how many there are`),
    warmUp: 1,
    library: "pages",
    file: resolve("tests/fixtures/costs/pages.ts"),
  },
  [`${turns} turns of a thread`]: {
    requests: Array.from({ length: turns + 1 }, sum),
    warmUp: 1,
    library: "math",
    oneThread: true,
  },
};

const endpoint = await startChatEndpoint(({ body }) =>
  body.tools?.length ? stepFor(body) : { content: programFor(requestIn(body)) },
);
const checkouts = [...(root ? [resolve(root)] : []), resolve(".")];
try {
  writeHead([
    "job",
    ...(root ? ["checkout"] : []),
    "CPU ms a task",
    "seconds",
    "MB of memory",
    "KB of checkpoints",
    "KB of the journal",
  ]);
  for (const [name, job] of Object.entries(JOBS).filter(([each]) => each.includes(only))) {
    const costs = new Map(checkouts.map((checkout): [string, Cost[]] => [checkout, []]));
    for (let round = 0; round < rounds; round++)
      for (const [checkout, list] of costs) list.push(await costOf(checkout, job));
    for (const [checkout, list] of costs)
      writeRow([name, ...(root ? [checkout] : []), ...figures(list)]);
  }
} finally {
  await endpoint.close();
}

/** The median of each figure. */
function figures(costs: readonly Cost[]): string[] {
  const middle = (of: (cost: Cost) => number) =>
    costs.map(of).toSorted((one, other) => one - other)[Math.floor(costs.length / 2)] ?? 0;
  return [
    middle(({ cpuMs }) => cpuMs).toFixed(0),
    middle(({ seconds }) => seconds).toFixed(1),
    (middle(({ rss }) => rss) / 1e6).toFixed(0),
    (middle(({ bytes }) => bytes["checkpoints"] ?? 0) / 1_000).toFixed(0),
    (middle(({ bytes }) => bytes["runs"] ?? 0) / 1_000).toFixed(0),
  ];
}

async function costOf(checkout: string, job: Job): Promise<Cost> {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-costs-"));
  try {
    const env = {
      ...process.env,
      TULIPGRAPH_HOME: home,
      OPENAI_BASE_URL: endpoint.url,
      OPENAI_API_KEY: "none",
    };
    const measured = async (given: Job) => {
      const program = resolve("tests/fixtures/costs/measure.mjs");
      const child = spawn(process.execPath, [program, checkout, JSON.stringify(given)], {
        env,
        cwd: checkout,
        stdio: ["ignore", "pipe", "inherit"],
      });
      return JSON.parse(await text(child.stdout)) as Cost;
    };
    // Another process has made the library.
    await measured({ ...job, requests: job.requests.slice(0, 1), warmUp: 0, oneThread: false });
    const cost = await measured(job);
    for (const problem of cost.notSolved.slice(0, 1)) write(`not solved: ${problem}`);
    return cost;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The last request of a conversation that this script made. */
function requestIn({ messages = [] }: ChatBody): string {
  const shown = JSON.stringify(messages);
  return (
    [...shown.matchAll(/What is \d+ \* 7 \+ \d+\?|Count to \d+|Read \d+ pages/g)].at(-1)?.[0] ?? ""
  );
}

/** The next call of an agent: the two of a task, one after the other. */
function stepFor({ messages = [] }: ChatBody): Completion {
  const results = messages.filter(({ role }) => role === "tool").length;
  const name = ["multiply", "add"][results];
  return name ? { calls: [{ name, arguments: { a: 6, b: 7 } }] } : { content: "It is 42." };
}

function programFor(request: string): string {
  const [first = 0, , last = 0] = [...request.matchAll(/\d+/g)].map(Number);
  const steps = JSON.stringify(Array.from({ length: first }, (_, at) => at + 1));
  const lines = request.startsWith("What")
    ? [
        `const product = await multiply({ a: ${first}, b: 7 });`,
        `return \`It is \${await add({ a: product, b: ${last} })}.\`;`,
      ]
    : request.startsWith("Count")
      ? [
          "let count = 0;",
          `for (const step of ${steps}) count = await add({ a: count, b: 1 });`,
          "return `It is ${count}.`;",
        ]
      : [
          "let pages = 0;",
          `for (const page of ${steps}) pages += (await read_page({ page })).page > 0 ? 1 : 0;`,
          "return `There are ${pages} pages.`;",
        ];
  return ["```ts", ...lines, "```"].join("\n");
}
