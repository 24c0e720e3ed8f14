/**
 * Figures that the paper on Tulip Agent publishes for its own benchmark: Ocker, Tanneberg, Eggert
 * and Gienger, "Tulip Agent – Enabling LLM-Based Agents to Solve Tasks Using Large Tool Libraries",
 * arXiv:2407.21778 (2024). Embeddings: text-embedding-3-large, 5 hits a search, 5 runs a task.
 */
export const PAPER = "arXiv:2407.21778";

/** The benchmark that the figures belong to, by its name here. */
const PAPER_BENCHMARK = "tulip_math";

/** What the paper reports for one graph, model and level. */
interface PublishedFigure {
  model: string;
  /** Share of runs that the published judge (answerSubstring here) takes for right. */
  correctness: number;
  /** Dollars a run, the embedding of the whole library included; absent where none are printed. */
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

/** The published figures for a graph at a level of a benchmark; none where nothing is published. */
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
