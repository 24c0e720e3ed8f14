/**
 * What is left of runs whose process is killed at any moment, or which two processes resume at once. A run reads and
 * writes lines of a file with the user's own tools; a second file lists the writes that have begun.
 *
 *   npx tsx tests/campaigns/kills.ts --kills 50 --doubles 50 --overlaps 50
 *
 * The command line is the compiled one (`npm run build` makes dist), or that of the checkout given by --root. The
 * model is a script on this machine whose calls get new ids each time. Half of the runs ask for each call
 * (`naive_tool`), the others follow a program with a loop (`tulip`); --graph selects one of them. Killed runs are resumed
 * until they end. Whether an interrupted write was made is answered by looking into the file.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChatBody, type Completion, startChatEndpoint } from "../fakes/chatEndpoint.js";
import {
  answersTo,
  fileOf,
  linesOf,
  nextCalls,
  requestOf,
  stopping,
  threadIn,
  writeTools,
} from "./lines.js";
import { optionsOf, write } from "./scriptSupport.js";

/** The messages of a run: reads and writes, of which some are made at once. */
const STEPS: readonly string[][] = [
  ["read"],
  ["one", "two"],
  ["read", "three"],
  ["four"],
  ["read"],
  ["five", "six"],
];

const LINES = STEPS.flat().filter((word) => word !== "read");

/** How often a run is resumed before it counts as one that does not end. */
const MOST_RESUMES = 4;

const { kills, doubles, overlaps, root, graph } = optionsOf({
  kills: 50,
  doubles: 50,
  overlaps: 50,
  root: ".",
  graph: undefined,
});

const GRAPHS = graph ? [graph] : ["naive_tool", "tulip"];

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-kills-"));
const program = join(resolve(root), "bin/tulipgraph.mjs");

interface Printed {
  code: number | null;
  stdout: string;
  stderr: string;
}

const outputs = new Map<ChildProcess, Promise<Printed>>();

/** Resolves when a run asks its model for the first time. */
const asked = new Map<string, () => void>();

/** Threads whose runs follow a plan. */
const planned = new Set<string>();

const endpoint = await startChatEndpoint(({ body }) => reply(body));

try {
  const tools = writeTools(folder, { pauseMs: 20 });
  await ended(start(["tools", "import", tools, "--library", "lines"]));
  const usual = await timedRun();
  write(`an undisturbed run works for ${usual} ms`);
  write("| runs | writes doubled | lost | asked about | of which never begun | missing | no end |");
  await campaign("killed, then resumed", kills, async (run) => {
    await killed(run, usual);
    await resumed(run);
  });
  await campaign("killed, then resumed twice at once", doubles, async (run) => {
    await killed(run, usual);
    await Promise.all([1, 2].map(() => ended(resume(run))));
    await resumed(run);
  });
  await campaign("resumed while it runs", overlaps, async (run) => {
    const solving = await begun(run);
    await sleep(Math.random() * usual);
    await Promise.all([ended(resume(run)), ended(solving)]);
    await resumed(run);
  });
} finally {
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
}

interface Run {
  thread: string;
  graph: string;
  /** The file that the run writes to. */
  file: string;
  /** Lines that the run has asked about. */
  asked: string[];
}

interface Found {
  doubled: number;
  lost: number;
  /** Writes that the run asked about. */
  asked: number;
  /** Of these, those that had not begun. */
  neverBegun: number;
  /** Lines that a solved run lacks. */
  missing: number;
  noEnd: number;
}

async function campaign(name: string, count: number, disturb: (run: Run) => Promise<void>) {
  const sum: Found = { doubled: 0, lost: 0, asked: 0, neverBegun: 0, missing: 0, noEnd: 0 };
  for (let number = 0; number < count; number++) {
    const run = newRun(GRAPHS[number % GRAPHS.length] ?? "tulip");
    await disturb(run);
    const found = await look(run);
    for (const key of Object.keys(sum) as (keyof Found)[]) sum[key] += found[key];
  }
  write(`| ${[`${count} ${name}`, ...Object.values(sum)].join(" | ")} |`);
}

function newRun(graph: string): Run {
  const thread = randomUUID();
  return { thread, graph, file: fileOf({ folder, thread }), asked: [] };
}

/** Milliseconds of an undisturbed run from its first question to its end. */
async function timedRun(): Promise<number> {
  const times = [];
  for (const graph of GRAPHS) {
    const child = await begun(newRun(graph));
    const since = performance.now();
    const { code, stderr } = await ended(child);
    if (code !== 0) throw new Error(`an undisturbed run of ${graph} ends with ${code}: ${stderr}`);
    times.push(performance.now() - since);
  }
  return Math.round(Math.max(...times));
}

/** A run that has asked its first question. */
async function begun(run: Run): Promise<ChildProcess> {
  const first = new Promise<void>((tell) => asked.set(run.thread, tell));
  const child = solve(run);
  await Promise.race([first, ended(child)]);
  return child;
}

async function killed(run: Run, usual: number): Promise<void> {
  const child = await begun(run);
  await sleep(Math.random() * usual);
  child.kill("SIGKILL");
  await ended(child);
}

/** Resumes a run until it has ended: solved, not solved, or nothing left to resume. */
async function resumed(run: Run): Promise<void> {
  let options: string[] = [];
  for (let count = 0; count < MOST_RESUMES; count++) {
    const { code, stdout, stderr } = await ended(resume(run, ...options));
    if (code === 0 || code === 1 || stderr.includes("nothing to resume")) return;
    const answers = answersTo(stdout, run.file);
    options = answers.length > 0 ? ["--answer", JSON.stringify(answers)] : [];
    run.asked.push(...linesAskedAbout(stdout));
  }
}

function linesAskedAbout(text: string): string[] {
  return Array.from(text.matchAll(/Was write_line .*?"line":"(\w+)"/gs), ([, line = ""]) => line);
}

async function look(run: Run): Promise<Found> {
  const { calls, next, status } = await shown(run);
  const writes = calls.filter(({ tool }) => tool === "write_line");
  const written = linesOf(run.file);
  const begunLines = linesOf(`${run.file}.begun`);
  const asked = [...new Set(run.asked)];
  const done = writes.filter(({ error }) => error === undefined);
  return {
    doubled: written.length - new Set(written).size,
    lost: done.filter(({ args }) => !written.includes(args.line)).length,
    asked: asked.length,
    neverBegun: asked.filter((line) => !begunLines.includes(line)).length,
    missing: status === "solved" ? LINES.filter((line) => !written.includes(line)).length : 0,
    noEnd: next.length === 0 ? 0 : 1,
  };
}

interface Shown {
  calls: { tool: string; args: { line: string }; error?: string }[];
  next: string[];
  status: string;
}

async function shown({ thread }: Run): Promise<Shown> {
  const { stdout } = await ended(start(["threads", thread, "--json"]));
  return JSON.parse(stdout) as Shown;
}

function solve({ thread, graph }: Run): ChildProcess {
  const options = [
    "--graph",
    graph,
    "--thread",
    thread,
    "--library",
    "lines",
    "--set",
    "threshold=4",
  ];
  return start(["solve", requestOf(thread), ...options, "--model", "openai:double"]);
}

function resume({ thread }: Run, ...options: string[]): ChildProcess {
  return start(["resume", thread, ...options]);
}

function start(argv: string[]): ChildProcess {
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: join(folder, "home"),
    OPENAI_BASE_URL: endpoint.url,
    OPENAI_API_KEY: "none",
  };
  const child = spawn(process.execPath, [program, ...argv], { cwd: folder, env });
  outputs.set(child, outputOf(child));
  return child;
}

async function ended(child: ChildProcess) {
  const output = await outputs.get(child);
  if (output === undefined) throw new Error("the process was not started here");
  return output;
}

function outputOf(child: ChildProcess) {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (part: string) => (printed[name] += part));
  }
  return new Promise<Printed>((tell) => {
    child.once("close", (code) => tell({ code, ...printed }));
  });
}

/** A program if one is asked for, else the next calls. */
function reply(body: ChatBody): Completion {
  const thread = threadIn(body);
  asked.get(thread)?.();
  asked.delete(thread);
  const file = fileOf({ folder, thread });
  if (body.tools === undefined) {
    planned.add(thread);
    return { content: programFor(file) };
  }
  // An abandoned plan is not continued: what it has not done by then does not matter here.
  return planned.has(thread) ? stopping() : nextCalls({ steps: STEPS, body, file });
}

/** The same reads and writes as a program: each iteration of its loop reads, and writes the words of the list. */
function programFor(file: string): string {
  const words = STEPS.map((step) => step.filter((word) => word !== "read"));
  return [
    "```ts",
    `for (const words of ${JSON.stringify(words)}) {`,
    `  await read_lines({ file: ${JSON.stringify(file)} });`,
    "  for (const word of words) {",
    `    await write_line({ file: ${JSON.stringify(file)}, line: word });`,
    "  }",
    "}",
    "return `Done.`;",
    "```",
  ].join("\n");
}
