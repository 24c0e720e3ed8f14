import type { RunRecord } from "../runs/runRecord.js";
import { CONTROL_NAMES } from "../../tools/control.js";
import type { Scorer } from "./scorer.js";

/** What a run took. */
export const COST_SCORERS: Scorer[] = [
  {
    ...cost("inputTokens", "Input tokens", ({ usage }) => usage.inputTokens),
    definition: "Tokens that the model read, in all of its calls.",
  },
  {
    ...cost("outputTokens", "Output tokens", ({ usage }) => usage.outputTokens),
    definition: "Tokens that the model wrote, in all of its calls.",
  },
  {
    ...cost("embeddingTokens", "Embedding tokens", ({ usage }) => usage.embeddingTokens),
    definition:
      "Tokens embedded for the searches of the run; those of the library itself are counted apart.",
  },
  {
    ...cost("totalTokens", "Tokens", ({ usage }) => usage.inputTokens + usage.outputTokens),
    definition: "Tokens that the model read and wrote; embedding tokens are counted apart.",
  },
  {
    ...cost("usd", "Cost", ({ usd }) => usd ?? undefined),
    unit: "usd",
    definition:
      "Dollars for the tokens of the model and of searches, at the provider's prices of fresh, cached and written tokens; absent where a price is not known.",
    source: "Prices of chat models: models.dev, as shipped with tokenlens",
  },
  {
    ...cost("modelCalls", "Model calls", ({ usage }) => usage.modelCalls),
    unit: "count",
    definition: "Calls of the model, those that gave no usable reply among them.",
  },
  {
    ...cost("toolCalls", "Tool calls", ({ calls }) => calls.filter(isToolCall).length),
    unit: "count",
    better: "none",
    definition: "Calls of tools, refused and failed ones among them; control tools do not count.",
  },
  {
    ...cost("demonstrations", "Demonstrations", ({ demonstrations }) => demonstrations?.length),
    unit: "count",
    better: "none",
    definition:
      "Demonstrations of other tasks that the model was shown; absent where there were none.",
  },
  {
    ...cost("wallMs", "Wall time", ({ wallMs }) => wallMs),
    unit: "ms",
    definition: "Time from the start to the end of the run, with waiting for other runs.",
  },
  {
    ...cost("workMs", "Time at work", ({ usage }) => usage.ms),
    unit: "ms",
    definition: "Time in stages: model, searches and tools.",
  },
];

function cost(
  id: string,
  label: string,
  read: (run: RunRecord) => number | undefined,
): Pick<Scorer, "id" | "label" | "unit" | "better" | "score"> {
  return { id, label, unit: "tokens", better: "lower", score: ({ run }) => read(run) };
}

function isToolCall({ tool }: RunRecord["calls"][number]): boolean {
  return !CONTROL_NAMES.includes(tool);
}
