import type { Task } from "../../../eval/benchmarks/benchmark.js";
import type { Aggregate, Row, ScoredRun, Summary } from "../../../eval/summary/summary.js";
import { type Behaviour, chanceOf, makeHostile, scoredRun, taskOf } from "./fixtureRuns.js";

const BEHAVIOURS: Behaviour[] = [
  { graph: "base", right: 0.55, tokens: 420 },
  { graph: "naive_tool", right: 0.74, tokens: 9800 },
  { graph: "cot_tool", right: 0.82, tokens: 11_900 },
  { graph: "minimal_tulip", right: 0.63, tokens: 1700 },
  { graph: "naive_tulip", right: 0.7, tokens: 2300 },
  { graph: "cot_tulip", right: 0.85, tokens: 3100 },
  { graph: "informed_cot_tulip", right: 0.84, tokens: 3300 },
  { graph: "primed_cot_tulip", right: 0.9, tokens: 3700 },
];

export const SCORERS: Summary["scorers"] = [
  scorer({ id: "answerSubstring", label: "Answer (published)" }),
  scorer({ id: "answerNumeric", label: "Answer (numeric)" }),
  scorer({ id: "toolPrecision", label: "Tool precision" }),
  scorer({ id: "toolRecall", label: "Tool recall" }),
  scorer({ id: "toolF1", label: "Tool F1" }),
  scorer({ id: "solved", label: "Solved" }),
  scorer({ id: "searchRecall", label: "Search recall" }),
  scorer({ id: "totalTokens", label: "Tokens", unit: "tokens", better: "lower" }),
  scorer({ id: "usd", label: "Dollars", unit: "usd", better: "lower" }),
  scorer({ id: "modelCalls", label: "Model calls", unit: "count", better: "lower" }),
  scorer({ id: "wallMs", label: "Wall time", unit: "ms", better: "lower" }),
];

const BENCHMARK = {
  name: "tulip_math",
  source: "made up for tests",
  hash: "made up",
  tools: 100,
};

const LIBRARY = {
  library: "tulip_math",
  embeddings: "local:sentence-encoder",
  tools: 100,
  embeddingTokens: 8120,
  usd: null,
};

/** The contents of the fixture. */
export interface FixtureOptions {
  graphs?: string[];
  variants?: string[];
  levels?: string[];
  tasksPerLevel?: number;
  repetitions?: number;
  dollars?: boolean;
  /** Changes which graph is right: another experiment of the same kind. */
  luck?: number;
  offline?: boolean;
}

/**
 * A summary of runs that never took place: every figure is made up, by arithmetic on the numbers of
 * tasks and runs, so that it is the same each time. The first run is hostile.
 */
export function syntheticSummary(options: FixtureOptions = {}): Summary {
  const { levels = ["easy", "medium", "hard"], variants = [""], offline = true } = options;
  const { graphs = BEHAVIOURS.map(({ graph }) => graph), tasksPerLevel = 5 } = options;
  const behaviours = graphs.map(
    (graph) =>
      BEHAVIOURS.find((known) => known.graph === graph) ?? { graph, right: 0.5, tokens: 1000 },
  );
  const tasks = levels.flatMap((level) =>
    Array.from({ length: tasksPerLevel }, (_, index) => taskOf(level, index)),
  );
  const runs = runsOf({ ...options, tasks, behaviours, variants });
  return {
    name: "Synthetic experiment",
    benchmark: { ...BENCHMARK, tasks: tasks.length },
    facts: [
      ["Models", "fake:model"],
      ["Embeddings", "local:sentence-encoder"],
      ["Started", "2026-01-05T10:00:00.000Z"],
    ],
    offline,
    missing: 4,
    levels,
    scorers: SCORERS,
    rows: rowsOf({ runs, tasks, behaviours, variants, levels }),
    tests: testsOf(behaviours),
    stages: stagesOf(behaviours, variants),
    libraries: [{ ...LIBRARY, runs: runs.length }],
    tasks,
    runs,
  };
}

function runsOf(
  options: Pick<FixtureOptions, "repetitions" | "dollars" | "luck"> & {
    tasks: Task[];
    behaviours: Behaviour[];
    variants: string[];
  },
): ScoredRun[] {
  const { tasks, behaviours, variants, repetitions = 3, dollars = true, luck = 0 } = options;
  const numbers = Array.from({ length: repetitions }, (_, index) => index + 1);
  const runs = tasks.flatMap((task, place) =>
    behaviours.flatMap((behaviour, graphPlace) =>
      variants.flatMap((variant, variantPlace) =>
        numbers.map((run) => {
          const chance = chanceOf(place * 7 + graphPlace * 3 + variantPlace * 5 + run - 1 + luck);
          return scoredRun({ task, behaviour, variant, run, dollars, chance });
        }),
      ),
    ),
  );
  const [first] = runs;
  if (first) makeHostile(first);
  return runs;
}

function scorer(given: {
  id: string;
  label: string;
  unit?: "share" | "usd" | "tokens" | "count" | "ms";
  better?: "higher" | "lower";
}): Summary["scorers"][number] {
  const { unit = "share", better = "higher", ...names } = given;
  return {
    ...names,
    unit,
    better,
    definition: `What ${given.label.toLowerCase()} means, in one sentence.`,
    ...(given.id === "answerSubstring" ? { source: "arXiv:2407.21778" } : {}),
  };
}

function rowsOf(request: {
  runs: ScoredRun[];
  tasks: Task[];
  behaviours: Behaviour[];
  variants: string[];
  levels: string[];
}): Row[] {
  const { runs, tasks, behaviours, variants, levels } = request;
  const levelOf = new Map(tasks.map(({ id, level }) => [id, level]));
  return [...levels, "all"].flatMap((level) =>
    behaviours.flatMap(({ graph }) =>
      variants.map((variant) => {
        const own = runs.filter(
          ({ record }) =>
            record.graph === graph &&
            record.variant === variant &&
            (level === "all" || levelOf.get(record.task) === level),
        );
        return {
          graph,
          variant,
          level,
          tasks: new Set(own.map(({ record }) => record.task)).size,
          runs: own.length,
          aggregates: aggregatesOf(own),
        };
      }),
    ),
  );
}

function aggregatesOf(runs: ScoredRun[]): Record<string, Aggregate> {
  return Object.fromEntries(
    SCORERS.flatMap(({ id, unit }) => {
      const values = runs.flatMap(({ scores }) => scores[id] ?? []);
      if (values.length === 0) return [];
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      const spread = unit === "share" ? 0.09 : mean * 0.06;
      const aggregate: Aggregate = {
        mean,
        sdOverRuns: spread / 3,
        interquartileMean: mean * 0.98,
        low: Math.max(0, mean - spread),
        high: unit === "share" ? Math.min(1, mean + spread) : mean + spread,
        runs: values.length,
      };
      return [[id, aggregate]];
    }),
  );
}

function testsOf(behaviours: Behaviour[]): Summary["tests"] {
  return behaviours.flatMap((a, index) =>
    behaviours.slice(index + 1).map((b) => ({
      score: "answerNumeric",
      a: { graph: a.graph, variant: "" },
      b: { graph: b.graph, variant: "" },
      pairs: 15,
      differing: 9,
      meanDifference: a.right - b.right,
      p: Math.max(0.0004, 0.4 - Math.abs(a.right - b.right)),
    })),
  );
}

function stagesOf(behaviours: Behaviour[], variants: string[]): Summary["stages"] {
  return behaviours.flatMap(({ graph, tokens }) =>
    variants.flatMap((variant) =>
      ["decompose", "phraseSearch", "search", "act"]
        .filter((stage) => stage === "act" || graph.includes("cot"))
        .map((stage) => ({
          graph,
          variant,
          stage,
          modelCalls: stage === "search" ? 0 : 1.4,
          inputTokens: stage === "search" ? 0 : tokens * (stage === "act" ? 0.6 : 0.15),
          outputTokens: stage === "search" ? 0 : 40,
        })),
    ),
  );
}
