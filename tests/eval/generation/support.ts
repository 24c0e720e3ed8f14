import { readFileSync } from "node:fs";
import { type Generated, generatePairs } from "../../../eval/generation/generatePairs.js";
import type { Method } from "../../../eval/generation/pairFile.js";
import type { Plan } from "../../../plans/steps/plan.js";
import type { Question, Reply } from "../../fakes/scriptedModel.js";

/** A line of a file of pairs, as others read it. */
export interface Line {
  task: string;
  query: string;
  tools: string[];
  calls: { tool: string; args: Record<string, unknown>; result?: unknown }[];
  plan: Pick<Plan, "steps" | "answer">;
  answer?: string;
  shape: string;
  draw: number;
  dropped: Record<string, number>;
}

/** A library and embeddings that need nothing loaded but the functions. */
export const MATH = { library: "math", embeddings: "words:hashed" };

/** Generates pairs with settings that tests share. */
export async function generate(options: {
  file: string;
  model: string;
  count: number;
  library?: string;
  method?: Method;
  seed?: number;
  /** Other settings of the runs. */
  settings?: Record<string, unknown>;
  signal?: AbortSignal;
  onPair?: () => void;
}): Promise<Generated> {
  const { file, model, count, library = MATH.library, method = "flow", seed = 1 } = options;
  const { settings, signal, onPair } = options;
  return await generatePairs({
    file,
    origin: { library, method, seed },
    count,
    settings: { model, embeddings: MATH.embeddings, ...settings },
    signal,
    onPair,
  });
}

export function linesIn(file: string): Line[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Repeats the given steps, and so all their values. */
export function joinSteps({ stage, input }: Question): Reply {
  const steps = stage === "writeQuery" ? input.steps : [];
  return { text: JSON.stringify({ request: steps.join(". ") }) };
}
