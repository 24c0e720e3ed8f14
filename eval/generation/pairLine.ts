import { jsonOrNothing } from "../files.js";
import { z } from "zod";
import type { GeneratedPair } from "./generationState.js";

/** Ways to make pairs; each is a graph. */
export const METHODS = ["flow", "persona"] as const;
export type Method = (typeof METHODS)[number];

/** What determines the pairs of a file, besides the model. */
export interface Origin {
  library: string;
  method: Method;
  seed: number;
}

/** A pair in its file, with what is needed to continue after it. */
export interface FiledPair extends Origin {
  pair: GeneratedPair;
  /** Number of its draw. */
  draw: number;
  /** Failed draws since the previous pair, by reason. */
  dropped: Record<string, number>;
}

/**
 * The line of a pair. Other commands use parts of it: `task`, `calls` and `answer` are a demonstration (`memory demos
 * import`), `query` and `tools` a request for training (`train retriever`).
 */
export function lineOf({ library, method, seed, draw, dropped, pair }: FiledPair): string {
  const { request, calls, answer, plan, shape } = pair;
  return JSON.stringify({
    library,
    task: request,
    calls,
    answer,
    source: "generated",
    query: request,
    tools: [...new Set(calls.map(({ tool }) => tool))],
    plan,
    shape,
    method,
    seed,
    draw,
    dropped,
  });
}

/** Whether a text is the beginning of an incomplete line of this library. */
export function isBeginning(text: string, { library }: Pick<Origin, "library">): boolean {
  const start = JSON.stringify({ library }).replace("}", ",");
  return text.startsWith(start) || start.startsWith(text);
}

const lineSchema = z.object({
  library: z.string(),
  method: z.enum(METHODS),
  seed: z.number().int(),
  draw: z.number().int().min(0),
  dropped: z.record(z.string(), z.number().int()),
  task: z.string(),
  shape: z.string(),
  calls: z.array(z.unknown()),
});

/** What generation needs from an existing line; undefined if something else wrote it. */
export function readLine(text: string): z.infer<typeof lineSchema> | undefined {
  return lineSchema.safeParse(jsonOrNothing(text)).data;
}
