import { join } from "node:path";
import { parseJson } from "../../common/jsonInText.js";
import type { PlanStep } from "../../plans/steps/plan.js";
import { defineWorld } from "../../tools/calls/worlds/worlds.js";
import { canonicalJson, sha256 } from "../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark, Task } from "./benchmark.js";
import { openPlayer } from "./checkoutPlayer.js";

/** A task as a `play.py` writes it. */
interface PlayedTask {
  id: string;
  query: string;
  level: string;
  tools: Pick<ToolDefinition, "name" | "description" | "parameters" | "effects">[];
  steps: PlanStep[];
  facts?: string[];
}

/** The calls of a run so far, and whether the repository's checker accepts what they came to. */
interface PlayedCalls {
  calls: { tool: string; args: Record<string, unknown> }[];
  right?: boolean;
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
      const answer = await ask({ id, calls: run.calls });
      const { result, error, right } = answer as {
        result?: string;
        error?: string;
        right: boolean;
      };
      run.right = right;
      return error === undefined ? { result: parseJson(result ?? "") ?? result } : { error };
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

function taskOf({ id, query, level, tools, steps, facts }: PlayedTask): Task {
  const named = steps.map(({ tool, args }) => ({ tool: `${id}.${tool}`, args }));
  return {
    id,
    query: query.trim(),
    tools: named.map(({ tool }) => tool),
    plan: { steps: named, answer: facts?.join("; ") ?? "" },
    level,
    split: level,
    candidates: tools.map(({ name }) => `${id}.${name}`),
    ...(facts?.length ? { facts } : {}),
  };
}
