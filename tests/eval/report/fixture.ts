import type { Task } from "../../../eval/benchmarks/benchmark.js";
import type { RunRecord } from "../../../eval/runs/record.js";
import type { Aggregate, Row, ScoredRun, Summary } from "../../../eval/summary/summary.js";

/** A graph of the fixture: how often it is right, and the tokens that it takes. */
interface Behaviour {
  graph: string;
  right: number;
  tokens: number;
}

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

/** Text that would act if it were ever taken for HTML. */
export const HOSTILE = "</script><img src=x onerror=\"document.title='taken over'\">";

/** What the fixture is made of. */
export interface FixtureOptions {
  graphs?: string[];
  variants?: string[];
  levels?: string[];
  tasksPerLevel?: number;
  repetitions?: number;
  dollars?: boolean;
  /** Moves who is right: another experiment of the same kind. */
  luck?: number;
  offline?: boolean;
}

/**
 * A summary of runs that never took place: every figure is made up, by arithmetic on the numbers of
 * tasks and runs, so that it is the same each time. The first run is hostile.
 */
export function syntheticSummary(options: FixtureOptions = {}): Summary {
  const { levels = ["easy", "medium", "hard"], variants = [""], repetitions = 3 } = options;
  const { graphs = BEHAVIOURS.map(({ graph }) => graph), tasksPerLevel = 5 } = options;
  const behaviours = graphs.map(
    (graph) =>
      BEHAVIOURS.find((known) => known.graph === graph) ?? { graph, right: 0.5, tokens: 1000 },
  );
  const tasks = levels.flatMap((level) =>
    Array.from({ length: tasksPerLevel }, (_, index) => taskOf(level, index)),
  );
  const runs = tasks.flatMap((task, place) =>
    behaviours.flatMap((behaviour, graphPlace) =>
      variants.flatMap((variant, variantPlace) =>
        Array.from({ length: repetitions }, (_, index) =>
          scoredRun({
            task,
            behaviour,
            variant,
            run: index + 1,
            dollars: options.dollars ?? true,
            chance: chanceOf(
              place * 7 + graphPlace * 3 + variantPlace * 5 + index + (options.luck ?? 0),
            ),
          }),
        ),
      ),
    ),
  );
  const [first] = runs;
  if (first) makeHostile(first);
  return {
    name: "Synthetic experiment",
    benchmark: {
      name: "tulip_math",
      source: "made up for tests",
      hash: "made up",
      tasks: tasks.length,
      tools: 100,
    },
    facts: [
      ["Models", "fake:model"],
      ["Embeddings", "local:sentence-encoder"],
      ["Started", "2026-01-05T10:00:00.000Z"],
    ],
    offline: options.offline ?? true,
    missing: 4,
    levels,
    scorers: SCORERS,
    rows: rowsOf({ runs, tasks, behaviours, variants, levels }),
    tests: testsOf(behaviours),
    stages: stagesOf(behaviours, variants),
    libraries: [
      {
        library: "tulip_math",
        embeddings: "local:sentence-encoder",
        tools: 100,
        embeddingTokens: 8120,
        usd: null,
        runs: runs.length,
      },
    ],
    tasks,
    runs,
  };
}

/** Between 0 and 1, spread evenly, and always the same for a number. */
function chanceOf(number: number): number {
  return (number * 0.618_033_988_749_895) % 1;
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

function taskOf(level: string, index: number): Task {
  return {
    id: `${level}.${String(index).padStart(3, "0")}`,
    query: `What is the sum of ${index} and 2, as a ${level} question?`,
    tools: ["add", "square_root"],
    calls: [{ tool: "add", args: { a: index, b: 2 } }],
    answers: [index + 2],
    level,
  };
}

function scoredRun(request: {
  task: Task;
  behaviour: Behaviour;
  variant: string;
  run: number;
  dollars: boolean;
  chance: number;
}): ScoredRun {
  const { task, behaviour, variant, run, dollars, chance } = request;
  const isRight = chance < behaviour.right;
  const tokens = Math.round(behaviour.tokens * (0.7 + 0.6 * chance));
  const usd = dollars ? tokens * 4e-7 : null;
  const record = recordOf({ task, behaviour, variant, run, isRight, tokens, usd });
  return {
    record,
    scores: {
      answerSubstring: isRight || chance > 0.97 ? 1 : 0,
      answerNumeric: isRight ? 1 : 0,
      toolPrecision: behaviour.graph === "base" ? 0 : 0.6 + 0.4 * chance,
      toolRecall: behaviour.graph === "base" ? 0 : 0.5 + 0.5 * chance,
      toolF1: behaviour.graph === "base" ? 0 : 0.55 + 0.4 * chance,
      solved: record.status === "solved" ? 1 : 0,
      searchRecall: behaviour.graph.endsWith("tulip") ? 0.4 + 0.6 * chance : undefined,
      totalTokens: tokens,
      usd: usd ?? undefined,
      modelCalls: record.usage.modelCalls,
      wallMs: record.wallMs,
    },
    problems: chance > 0.985 ? { toolF1: "the run has calls without a tool" } : {},
  };
}

function recordOf(request: {
  task: Task;
  behaviour: Behaviour;
  variant: string;
  run: number;
  isRight: boolean;
  tokens: number;
  usd: number | null;
}): RunRecord {
  const { task, behaviour, variant, run, isRight, tokens, usd } = request;
  const { graph } = behaviour;
  const answer = Number(task.answers?.[0]);
  return {
    id: [task.id, graph, variant, run].filter((part) => part !== "").join(" | "),
    task: task.id,
    graph,
    variant,
    run,
    attempt: 1,
    settings: { topK: 5, model: "fake:model", background: "The date is 5 January 2026." },
    model: "fake:model",
    embeddings: "local:sentence-encoder",
    seed: run,
    status: isRight ? "solved" : "unsolved",
    answer: isRight ? `The sum is ${answer}.` : "I could not find a tool for that.",
    subtasks: [
      { id: "1", text: "Add the numbers", depth: 0, status: "split", phrases: ["add"] },
      { id: "1.1", text: "Add two numbers", depth: 1, status: "found", phrases: ["add two"] },
    ],
    searches: [
      {
        phrase: "add two numbers",
        depth: 1,
        subtask: "1.1",
        hits: [
          { tool: "add", distance: 0.412 },
          { tool: "sum_of_list", distance: 0.631 },
        ],
      },
      { phrase: "something that nothing does", depth: 0, hits: [] },
    ],
    calls: [
      { id: "c1", tool: "add", args: { a: answer - 2, b: 2 }, result: answer, ms: 3, cost: 1 },
      { id: "c2", tool: "divide", args: { a: 1, b: 0 }, error: "division by zero", ms: 1, cost: 1 },
    ],
    usage: {
      modelCalls: 3,
      inputTokens: Math.round(tokens * 0.9),
      outputTokens: tokens - Math.round(tokens * 0.9),
      embeddingTokens: 12,
      estimated: true,
      ms: 900,
    },
    stages: ["decompose", "search", "act", "execute", "respond"].map((stage) => ({
      stage,
      modelCalls: stage === "act" || stage === "decompose" ? 1 : 0,
      inputTokens: stage === "act" ? tokens : 0,
      outputTokens: 20,
      embeddingTokens: stage === "search" ? 12 : 0,
      ms: 180,
    })),
    usd,
    threadId: `thread-${task.id}-${graph}-${run}`,
    startedAt: "2026-01-05T10:00:00.000Z",
    endedAt: "2026-01-05T10:00:01.000Z",
    wallMs: 900 + run * 10,
    resumed: false,
  };
}

/** The run gives an answer, an error, a call and settings that would act if they were HTML. */
function makeHostile({ record, problems }: ScoredRun): void {
  record.answer = `40 ${HOSTILE}`;
  record.error = HOSTILE;
  record.status = "error";
  record.calls = [
    {
      id: "c1",
      tool: HOSTILE,
      args: { [HOSTILE]: HOSTILE },
      result: `${HOSTILE}${"long ".repeat(1000)}`,
      ms: 1,
      cost: 1,
    },
  ];
  record.searches = [{ phrase: HOSTILE, depth: 0, hits: [{ tool: HOSTILE, distance: 1 }] }];
  record.subtasks = [
    { id: "1", text: HOSTILE, depth: 0, status: "unserved", phrases: [], reason: HOSTILE },
  ];
  record.settings = { [HOSTILE]: HOSTILE };
  problems["toolF1"] = HOSTILE;
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
