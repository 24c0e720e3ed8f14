import type { ArgumentRule, Task } from "../../../eval/benchmarks/benchmark.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { SCORERS } from "../../../eval/scorers/index.js";
import { NOTHING_USED } from "../../../state/state.js";

/** A task that one addition solves. */
export function taskOf(parts: Partial<Task> = {}): Task {
  return { id: "t1", query: "What is 2 + 3?", tools: ["add"], level: "easy", ...parts };
}

/** A run of `cot_tulip` that answered 5 and called nothing. */
export function runOf(parts: Partial<RunRecord> = {}): RunRecord {
  const { task = "t1", graph = "cot_tulip", variant = "", run = 1, attempt = 1 } = parts;
  return {
    id: [task, graph, variant, run].join(" | "),
    task,
    graph,
    variant,
    run,
    attempt,
    settings: {},
    model: "fake:test",
    embeddings: "fake:words",
    status: "solved",
    answer: "5",
    subtasks: [],
    searches: [],
    calls: [],
    usage: NOTHING_USED,
    stages: [],
    usd: 0,
    threadId: "thread",
    startedAt: "2025-01-01T00:00:00.000Z",
    endedAt: "2025-01-01T00:00:01.000Z",
    wallMs: 1000,
    resumed: false,
    ...parts,
  };
}

/** An executed call, or a failed one if there is an error. */
export function callOf(
  tool: string,
  args: Record<string, unknown> = {},
  error?: string,
): RunRecord["calls"][number] {
  const outcome = error === undefined ? { result: "done" } : { error };
  return { id: "c", tool, args, ms: 1, cost: 1, ...outcome };
}

/** One score of one run. */
export function scoreOf(
  id: string,
  scored: {
    task?: Partial<Task>;
    run?: Partial<RunRecord>;
    argumentRule?: ArgumentRule;
    world?: { name: string };
  },
): number | undefined {
  const scorer = SCORERS.find((each) => each.id === id);
  if (!scorer) throw new Error(`there is no scorer ${id}`);
  const { task, run, argumentRule = "equal", world } = scored;
  return scorer.score({
    task: taskOf(task),
    run: runOf(run),
    benchmark: { argumentRule, ...(world ? { world } : {}) },
  });
}
