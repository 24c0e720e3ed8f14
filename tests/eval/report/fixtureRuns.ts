import type { Task } from "../../../eval/benchmarks/benchmark.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import type { ScoredRun } from "../../../eval/summary/summary.js";

/** Text that would do something if it were read as HTML. */
export const HOSTILE = "</script><img src=x onerror=\"document.title='taken over'\">";

/** A graph of the fixture, with its share of right answers and its tokens. */
export interface Behaviour {
  graph: string;
  right: number;
  tokens: number;
}

/** A pseudo-random number between 0 and 1, always the same for a number. */
export function chanceOf(number: number): number {
  return (number * 0.618_033_988_749_895) % 1;
}

export function taskOf(level: string, index: number): Task {
  return {
    id: `${level}.${String(index).padStart(3, "0")}`,
    query: `What is the sum of ${index} and 2, as a ${level} question?`,
    tools: ["add", "square_root"],
    calls: [{ tool: "add", args: { a: index, b: 2 } }],
    answers: [index + 2],
    level,
  };
}

export function scoredRun(request: {
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
    ...UNCHANGING,
    id: [task.id, graph, variant, run].filter((part) => part !== "").join(" | "),
    task: task.id,
    graph,
    variant,
    run,
    seed: run,
    status: isRight ? "solved" : "unsolved",
    answer: isRight ? `The sum is ${answer}.` : "I could not find a tool for that.",
    calls: [
      { id: "c1", tool: "add", args: { a: answer - 2, b: 2 }, result: answer, ms: 3, cost: 1 },
      { id: "c2", tool: "divide", args: { a: 1, b: 0 }, error: "division by zero", ms: 1, cost: 1 },
    ],
    usage: usageOf(tokens),
    stages: stagesOfRun(tokens),
    usd,
    threadId: `thread-${task.id}-${graph}-${run}`,
    wallMs: 900 + run * 10,
  };
}

/** What is the same in every run. */
const UNCHANGING = {
  attempt: 1,
  settings: { topK: 5, model: "fake:model", background: "The date is 5 January 2026." },
  model: "fake:model",
  embeddings: "local:sentence-encoder",
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
  startedAt: "2026-01-05T10:00:00.000Z",
  endedAt: "2026-01-05T10:00:01.000Z",
  resumed: false,
} satisfies Partial<RunRecord>;

function usageOf(tokens: number): RunRecord["usage"] {
  const inputTokens = Math.round(tokens * 0.9);
  return {
    modelCalls: 3,
    inputTokens,
    outputTokens: tokens - inputTokens,
    embeddingTokens: 12,
    estimated: true,
    ms: 900,
  };
}

function stagesOfRun(tokens: number): RunRecord["stages"] {
  return ["decompose", "search", "act", "execute", "respond"].map((stage) => ({
    stage,
    modelCalls: stage === "act" || stage === "decompose" ? 1 : 0,
    inputTokens: stage === "act" ? tokens : 0,
    outputTokens: 20,
    embeddingTokens: stage === "search" ? 12 : 0,
    ms: 180,
  }));
}

/** The answer, error, call and settings of this run would do something as HTML. */
export function makeHostile({ record, problems }: ScoredRun): void {
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
