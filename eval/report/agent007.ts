/**
 * Figures that the report "AI Agent 007" publishes for its own set of work
 * items and requests (its golden set): one row for each way of planning, over all tasks.
 */
interface PublishedPlanning {
  /** The way of planning, and the model. */
  method: string;
  /** By scorer id. As printed: irrelevant and necessary tools do not always add up to 1. */
  figures: Record<string, number>;
}

/** The benchmark whose tools are like those of the report, by its name here. */
const WORK_BENCHMARK = "work";

const PUBLISHED: PublishedPlanning[] = [
  published("RAP, gpt-4", [0.019, 0.971, 0.082, 0.057, 0.968, 0.895]),
  published("main solution, gpt-3.5", [0.036, 0.964, 0.164, 0.195, 0.923, 0.774]),
  published("alternate solution, openchat", [0.305, 0.695, 0.01, 0.345, 0.629, 0.552]),
];

/** The published figures that may stand beside those of a benchmark; none where it is another matter. */
export function publishedPlanning(benchmark: string): PublishedPlanning[] {
  return benchmark === WORK_BENCHMARK ? PUBLISHED : [];
}

/** @param shares IR, NR, HR, MR, BLEU and ROUGE-L */
function published(
  method: string,
  shares: [ir: number, nr: number, hr: number, mr: number, bleu: number, rougeL: number],
): PublishedPlanning {
  const [irrelevantRate, necessaryRate, hallucinationRate, missingRate, bleu, rougeL] = shares;
  return {
    method,
    figures: { irrelevantRate, necessaryRate, hallucinationRate, missingRate, bleu, rougeL },
  };
}
