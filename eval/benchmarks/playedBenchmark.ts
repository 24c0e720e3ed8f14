import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BenchmarkFailed } from "../../common/errors.js";
import { parseJson } from "../../common/jsonInText.js";
import { defineWorld } from "../../tools/calls/worlds/worlds.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import { declaredTool } from "../../tools/sources/functions/readDeclarations.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "./benchmark.js";
import { stepsForm } from "./shipped.js";

/** The interpreter that runs the repository; docs/results.md says what each needs. */
const python = () => {
  const named = process.env["PYTHON"] || "python3";
  // It runs in the checkout, and a path is from here.
  return named.includes("/") ? resolve(named) : named;
};

interface PlayedTask {
  id: string;
  query: string;
  /** What holds for the whole conversation, such as a policy. */
  background?: string;
  level: string;
  tools: Omit<ToolDefinition, "id" | "source">[];
  /** The gold calls, in the form that {@link stepsForm} reads. */
  steps: unknown[];
  /** Refers to results of steps. */
  answer?: string;
  facts?: string[];
  /** Nothing has to change. */
  unchanged?: boolean;
}

/** The calls of a run so far, and what the repository says to what they came to. */
interface PlayedCalls extends Record<string, unknown> {
  calls: { tool: string; args: Record<string, unknown> }[];
}

/**
 * A benchmark whose repository, in a checkout, answers the calls and judges them, through the `play.py` of a folder here.
 * A run is one request: turns are put together, and there is no simulated user. So figures are not leaderboard entries.
 *
 * @param options.name also the folder with `play.py`
 * @param options.inside where in the checkout the code runs
 * @param options.part a part of the benchmark, as the repository names it
 */
export async function playedBenchmark(options: {
  name: string;
  folder: string;
  inside?: string;
  part: string;
}): Promise<Benchmark> {
  const { name, folder, inside = ".", part } = options;
  const ask = openPlayer({
    benchmark: name,
    script: new URL(`${name}/play.py`, import.meta.url),
    folder: join(folder, inside),
    args: [part],
  });
  const read = (await ask({})) as PlayedTask[];
  const tools = read.flatMap((task) => task.tools.map((tool) => definitionOf(name, task, tool)));
  const tasks = read.map(taskOf);
  const world = defineWorld<PlayedCalls>({
    name,
    create: () => ({ calls: [] }),
    // A run without a call has changed nothing.
    save: (run) => (run.calls.length > 0 ? run : {}),
    load: (saved) => ({ calls: [], ...(saved as object) }),
    async answer(run, { tool, args }) {
      const [id = "", own = ""] = tool.split(".");
      run.calls.push({ tool: own, args });
      const { result, error, ...verdict } = Object(await ask({ id, calls: run.calls }));
      Object.assign(run, verdict);
      if (error !== undefined) return { error: String(error) };
      return { result: typeof result === "string" ? (parseJson(result) ?? result) : result };
    },
  });
  return {
    name: `${name}-${part}`,
    source: folder,
    hash: sha256(canonicalJson({ part, tasks, tools })),
    tools,
    tasks,
    argumentRule: "equal",
    others: 0,
    world: { name },
    ownWorlds: [world],
  };
}

function definitionOf(
  world: string,
  { id }: PlayedTask,
  tool: PlayedTask["tools"][number],
): ToolDefinition {
  const read = declaredTool({ ...tool, id: `${id}.${tool.name}`, world }, `${world}.jsonl`);
  if ("problem" in read) throw new BenchmarkFailed({ benchmark: world, problem: read.problem });
  return read.tool;
}

function taskOf(played: PlayedTask): Task {
  const { id, query, background, level, tools, steps, answer, facts, unchanged } = played;
  const gold = stepsForm.parse(steps);
  const named = gold.map(({ tool, args }) => ({ tool: `${id}.${tool}`, args }));
  return {
    id,
    query: query.trim(),
    tools: named.map(({ tool }) => tool),
    plan: { steps: named, answer: answer ?? facts?.join("; ") ?? "" },
    level,
    candidates: tools.map(({ name }) => `${id}.${name}`),
    // Their protocols show all tools of a task.
    settings: { topK: tools.length, ...(background ? { background } : {}) },
    ...(facts?.length ? { facts } : {}),
    ...(unchanged ? { rightWithoutCalls: true as const } : {}),
  };
}

/**
 * Starts a script in the checkout of a benchmark's repository. It keeps this process alive only while it is asked, and ends
 * with it.
 *
 * @returns asks a question in JSON and resolves to the answer
 */
function openPlayer(options: {
  benchmark: string;
  script: URL;
  folder: string;
  args?: readonly string[];
}) {
  const { benchmark, script, folder, args = [] } = options;
  const child = spawn(python(), [fileURLToPath(script), ...args], { cwd: folder, stdio: "pipe" });
  const parts = [child, ...[child.stdin, child.stdout, child.stderr].map((one) => one as Socket)];
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let said = "";
  const fail = (why: string) => {
    const problem = `${python()} in ${folder}: ${why}`;
    const hint = "docs/results.md says what it needs; PYTHON=PATH names another interpreter";
    const failure = new BenchmarkFailed({ benchmark, problem, hint });
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  child.stderr.on("data", (chunk) => (said = `${said}${String(chunk)}`.slice(-2000)));
  child.stdin.on("error", ({ message }) => fail(message));
  child.on("error", ({ message }) => fail(message));
  child.on("exit", () => fail(said.trim().split("\n").at(-1) ?? "it ended"));
  createInterface(child.stdout).on("line", (line) => {
    waiting.shift()?.resolve(line);
    if (waiting.length === 0) for (const part of parts) part.unref();
  });
  return async (question: object): Promise<unknown> => {
    for (const part of parts) part.ref();
    const answer = new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
    child.stdin.write(`${JSON.stringify(question)}\n`);
    return JSON.parse(await answer) as unknown;
  };
}
