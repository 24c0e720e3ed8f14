/**
 * Published figures of Tulip Agent on its own benchmark: Ocker, Tanneberg, Eggert
 * and Gienger, "Tulip Agent – Enabling LLM-Based Agents to Solve Tasks Using Large Tool Libraries",
 * arXiv:2407.21778 (2024). Embeddings: text-embedding-3-large, 5 hits a search, 5 runs a task.
 */
export const PAPER = "arXiv:2407.21778";

/** The name of that benchmark here. */
const PAPER_BENCHMARK = "tulip_math";

/** The paper's figures for one graph, model and level. */
interface PublishedFigure {
  model: string;
  /** Share of runs that are right by the published judge (answerSubstring here). */
  correctness: number;
  /** Dollars per run, including the embedding of the whole library; absent if not printed. */
  usd?: number;
}

/** In the order of LEVELS. */
interface PublishedSeries {
  graph: string;
  model: string;
  correctness: [number, number, number];
  usd?: [number, number, number];
}

const LEVELS = ["easy", "medium", "hard"];
const GPT_35 = "gpt-3.5-turbo-0125";
const GPT_4 = "gpt-4-turbo";

const PUBLISHED: PublishedSeries[] = [
  { graph: "base", model: GPT_35, correctness: [0.78, 0.48, 0.5] },
  { graph: "cot_tool", model: GPT_35, correctness: [0.84, 0.98, 0.51] },
  { graph: "cot_tool", model: GPT_4, correctness: [0.97, 1, 1], usd: [0.099, 0.173, 0.25] },
  { graph: "minimal_tulip", model: GPT_35, correctness: [0.95, 0.72, 0.35] },
  { graph: "cot_tulip", model: GPT_35, correctness: [0.95, 0.83, 0.46] },
  { graph: "cot_tulip", model: GPT_4, correctness: [1, 0.99, 0.96], usd: [0.024, 0.049, 0.079] },
  { graph: "informed_cot_tulip", model: GPT_35, correctness: [0.93, 0.77, 0.49] },
  { graph: "primed_cot_tulip", model: GPT_35, correctness: [0.95, 0.85, 0.55] },
];

/** The published figures for a graph at a level of a benchmark. */
export function publishedFigures(place: {
  benchmark: string;
  graph: string;
  level: string;
}): PublishedFigure[] {
  const index = LEVELS.indexOf(place.level);
  if (place.benchmark !== PAPER_BENCHMARK || index < 0) return [];
  return PUBLISHED.filter(({ graph }) => graph === place.graph).flatMap((series) => {
    const correctness = series.correctness[index];
    if (correctness === undefined) return [];
    return { model: series.model, correctness, usd: series.usd?.[index] };
  });
}

/**
 * Figures of the report "AI Agent 007" on its own work items and requests (its golden set): one row for each way of
 * planning, over all tasks.
 */
interface PublishedPlanning {
  /** The way of planning, and the model. */
  method: string;
  /** By scorer id, as printed: irrelevant and necessary tools do not always add up to 1. */
  figures: Record<string, number>;
}

/** The name of the benchmark here whose tools resemble those of the report. */
const WORK_BENCHMARK = "work";

const PUBLISHED_PLANNING: PublishedPlanning[] = [
  planning("RAP, gpt-4", [0.019, 0.971, 0.082, 0.057, 0.968, 0.895]),
  planning("main solution, gpt-3.5", [0.036, 0.964, 0.164, 0.195, 0.923, 0.774]),
  planning("alternate solution, openchat", [0.305, 0.695, 0.01, 0.345, 0.629, 0.552]),
];

/** The published figures that may be shown next to those of a benchmark. */
export function publishedPlanning(benchmark: string): PublishedPlanning[] {
  return benchmark === WORK_BENCHMARK ? PUBLISHED_PLANNING : [];
}

/** @param shares IR, NR, HR, MR, BLEU and ROUGE-L */
function planning(
  method: string,
  shares: [ir: number, nr: number, hr: number, mr: number, bleu: number, rougeL: number],
): PublishedPlanning {
  const [irrelevantRate, necessaryRate, hallucinationRate, missingRate, bleu, rougeL] = shares;
  return {
    method,
    figures: { irrelevantRate, necessaryRate, hallucinationRate, missingRate, bleu, rougeL },
  };
}
