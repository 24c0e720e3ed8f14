import type { Task } from "../../../eval/benchmarks/benchmark.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { type Summary, summarizeRuns } from "../../../eval/summary/summarizeRuns.js";
import { NOTHING_USED } from "../../../state/state.js";
import { experimentWith } from "../runs/support.js";
import { callOf, runOf, taskOf } from "../scorers/support.js";

/** Text that would do something if it were read as HTML. */
export const HOSTILE = "</script><img src=x onerror=\"document.title='taken over'\">";

/** How likely graphs are to be right, and about how many tokens they use. */
const BEHAVIOURS: Record<string, { right: number; tokens: number }> = {
  base: { right: 0.3, tokens: 420 },
  cot_tool: { right: 0.7, tokens: 11_900 },
  cot_tulip: { right: 1, tokens: 3100 },
};

/** What distinguishes one made-up experiment from another. */
export interface FixtureOptions {
  graphs?: string[];
  variants?: string[];
  levels?: string[];
  tasksPerLevel?: number;
  repetitions?: number;
  dollars?: boolean;
  /** How likely all graphs are to be right, in place of their own shares. */
  right?: number;
  offline?: boolean;
}

/**
 * A summary of runs that never took place: what they did is made up, by arithmetic on the numbers of tasks and runs, so
 * that it is the same each time. The first run is hostile.
 */
export function syntheticSummary(options: FixtureOptions = {}): Summary {
  const { graphs = Object.keys(BEHAVIOURS), variants = [""], repetitions = 2 } = options;
  const { levels = ["easy", "medium", "hard"], tasksPerLevel = 5 } = options;
  const { dollars = true, offline = true } = options;
  const tasks = levels.flatMap((level) =>
    Array.from({ length: tasksPerLevel }, (_, at) => mathTask(`${level}.${at}`, level)),
  );
  const records = tasks.flatMap(({ id: task }, place) =>
    graphs.flatMap((graph, of) =>
      variants.flatMap((variant, way) =>
        Array.from({ length: repetitions }, (_, at): RunRecord => {
          // Pseudo-random, always the same for a number.
          const chance = ((place * 7 + of * 3 + way * 5 + at) * 0.618_033_988_749_895) % 1;
          const { right, tokens } = BEHAVIOURS[graph] ?? { right: 0.5, tokens: 1000 };
          const inputTokens = Math.round(tokens * (0.7 + 0.6 * chance));
          const names = { task, graph, variant, run: at + 1 };
          return runOf({
            ...names,
            ...(offline ? { model: "offline:planner" } : {}),
            answer: chance < (options.right ?? right) ? "It is 5." : "It is 6.",
            calls: graph === "base" ? [] : [callOf("add", { a: 2, b: 3 })],
            searches: [{ phrase: "add", depth: 0, hits: [{ tool: "add", distance: 0.4 }] }],
            usage: { ...NOTHING_USED, inputTokens },
            stages: ["decompose", "act"].map((stage) => ({
              ...NOTHING_USED,
              stage,
              inputTokens: inputTokens / 2,
            })),
            usd: dollars ? inputTokens * 4e-7 : null,
          });
        }),
      ),
    ),
  );
  const [first] = records;
  if (first) Object.assign(first, { answer: `40 ${HOSTILE}`, error: HOSTILE, status: "error" });
  const experiment = experimentWith({
    benchmark: {
      name: "Synthetic experiment",
      source: "made up for tests",
      hash: "made up",
      argumentRule: "equal",
      tools: 100,
    },
    graphs,
    variants: variants.map((name) => ({ name, settings: {} })),
    runs: repetitions + 1,
  });
  const library = {
    library: "sums",
    embeddings: "e",
    tools: 100,
    embeddingTokens: 8120,
    usd: null,
  };
  return summarizeRuns({ experiment, tasks, records, libraries: [library] });
}

function mathTask(id: string, level: string): Task {
  return taskOf({ id, level, answers: [5], calls: [{ tool: "add", args: { a: 2, b: 3 } }] });
}
