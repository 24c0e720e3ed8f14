import { join } from "node:path";
import { parseJson } from "../../common/jsonInText.js";
import { defineWorld } from "../../tools/calls/worlds/worlds.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "./benchmark.js";
import { openPlayer } from "./checkoutPlayer.js";
import { stepsForm } from "./shipped.js";

/** A task as a `play.py` writes it. */
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
}

/** The calls of a run so far, and what the repository says to what they came to. */
interface PlayedCalls extends Record<string, unknown> {
  calls: { tool: string; args: Record<string, unknown> }[];
}

/**
 * A benchmark whose repository, in a checkout, answers the calls and judges them, through the `play.py` of a folder here.
 * A run is one request: turns are put together, and there is no simulated user. So figures are no leaderboard entries.
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
    save: (run) => run,
    load: (saved) => saved as PlayedCalls,
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
  const source = { kind: "declared", file: `${world}.jsonl`, world } as const;
  return { ...tool, id: `${id}.${tool.name}`, source };
}

function taskOf(played: PlayedTask): Task {
  const { id, query, background, level, tools, steps, answer, facts } = played;
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
  };
}
