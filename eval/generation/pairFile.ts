import { appendFile, readFile, stat, truncate } from "node:fs/promises";
import { z } from "zod";
import { InvalidSetting, oneLine } from "../../common/errors.js";
import { jsonOrNothing } from "../files.js";
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
interface FiledPair extends Origin {
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
function lineOf({ library, method, seed, draw, dropped, pair }: FiledPair): string {
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

/** The contents of a file of pairs. */
export interface PairsSoFar {
  count: number;
  shapes: string[];
  requests: string[];
  /** Number of the draw after that of the last pair. */
  nextDraw: number;
  /** Failed draws by reason. */
  dropped: Record<string, number>;
  /** Pairs by number of calls. */
  lengths: Record<number, number>;
}

/** A file to which pairs are appended. */
export interface PairFile {
  /** What was read and appended so far. */
  readonly soFar: PairsSoFar;
  /** @throws InvalidSetting if something else has written to the file since it was opened */
  append(pair: FiledPair): Promise<void>;
}

/**
 * Opens a file of pairs for appending. An incomplete last line of a killed process is removed.
 *
 * @throws InvalidSetting for an unusable file, or one with anything but pairs of this origin
 */
export async function openPairFile(file: string, origin: Origin): Promise<PairFile> {
  const text = await usable(file, async () => {
    // Creates the file if needed, so that an unwritable place is noticed before a model is asked.
    await appendFile(file, "");
    return await readFile(file, "utf8");
  });
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const rest = text.slice(whole.length);
  const soFar: PairsSoFar = {
    count: 0,
    shapes: [],
    requests: [],
    nextDraw: 0,
    dropped: {},
    lengths: {},
  };
  for (const [at, line] of whole.split("\n").slice(0, -1).entries()) {
    note(soFar, readLine(line, `line ${at + 1}`, file, origin));
  }
  const start = JSON.stringify({ library: origin.library }).replace("}", ",");
  if (!rest.startsWith(start) && !start.startsWith(rest)) {
    throw otherFile(file, "its last line is not a generated pair");
  }
  if (rest !== "") await usable(file, () => truncate(file, Buffer.byteLength(whole)));
  let size = Buffer.byteLength(whole);
  return {
    soFar,
    append: async (filed) => {
      const line = `${lineOf(filed)}\n`;
      if ((await usable(file, () => stat(file))).size !== size) {
        throw otherFile(file, "something else has written to it meanwhile");
      }
      await usable(file, () => appendFile(file, line, { flush: true }));
      size += Buffer.byteLength(line);
      const { pair, draw, dropped } = filed;
      note(soFar, { ...pair, task: pair.request, draw, dropped });
    },
  };
}

type Line = z.infer<typeof lineSchema>;

/** @throws InvalidSetting if something else wrote the line */
function readLine(text: string, place: string, file: string, origin: Origin): Line {
  const line = lineSchema.safeParse(jsonOrNothing(text)).data;
  if (!line) throw otherFile(file, `${place} is not a generated pair`);
  for (const name of ["library", "method", "seed"] as const) {
    if (line[name] === origin[name]) continue;
    throw otherFile(file, `${place} is of the ${name} ${line[name]}, not ${origin[name]}`);
  }
  return line;
}

function note(
  soFar: PairsSoFar,
  {
    task,
    shape,
    draw,
    dropped,
    calls,
  }: Pick<Line, "task" | "shape" | "draw" | "dropped" | "calls">,
): void {
  soFar.count += 1;
  soFar.shapes.push(shape);
  soFar.requests.push(task);
  soFar.nextDraw = draw + 1;
  soFar.lengths[calls.length] = (soFar.lengths[calls.length] ?? 0) + 1;
  soFar.dropped = together(soFar.dropped, dropped);
}

/** Counts by reason, added up. */
export function together(
  counts: Readonly<Record<string, number>>,
  more: Readonly<Record<string, number>>,
): Record<string, number> {
  const added = Object.entries(more).map(
    ([reason, count]) => [reason, count + (counts[reason] ?? 0)] as const,
  );
  return { ...counts, ...Object.fromEntries(added) };
}

async function usable<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    throw otherFile(file, `cannot be used (${oneLine(error.message)})`);
  }
}

function otherFile(file: string, problem: string): InvalidSetting {
  return new InvalidSetting({
    setting: `file of pairs ${file}`,
    problem,
    hint: "Name another file, or give the library, method and seed that it was begun with",
  });
}
