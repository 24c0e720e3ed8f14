import { open, readFile, truncate } from "node:fs/promises";
import { InvalidSetting, oneLine } from "../../common/errors.js";
import { type FiledPair, isBeginning, lineOf, type Origin, readLine } from "./pairLine.js";

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
export async function openPairFile(options: { file: string; origin: Origin }): Promise<PairFile> {
  const { file, origin } = options;
  const text = await usable(file, () => textOf(file));
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  const rest = text.slice(whole.length);
  const soFar = read(file, whole, origin);
  if (!isBeginning(rest, origin)) {
    throw otherFile(file, "its last line is not a generated pair");
  }
  if (rest !== "") {
    await usable(file, () => truncate(file, Buffer.byteLength(whole)));
  }
  let size = Buffer.byteLength(whole);
  return {
    soFar,
    append: async (pair) => {
      const line = `${lineOf(pair)}\n`;
      await usable(file, () => appendLine(file, line, size));
      size += Buffer.byteLength(line);
      note(soFar, {
        shape: pair.pair.shape,
        request: pair.pair.request,
        calls: pair.pair.calls.length,
        ...pair,
      });
    },
  };
}

function read(file: string, text: string, origin: Origin): PairsSoFar {
  const soFar = noPairs();
  for (const [at, line] of text.split("\n").slice(0, -1).entries()) {
    const found = readLine(line);
    if (!found) throw otherFile(file, `line ${at + 1} is not a generated pair`);
    for (const name of ["library", "method", "seed"] as const) {
      if (found[name] === origin[name]) continue;
      const problem = `line ${at + 1} is of the ${name} ${found[name]}, not ${origin[name]}`;
      throw otherFile(file, problem);
    }
    const { task: request, shape, draw, dropped, calls } = found;
    note(soFar, { request, shape, draw, dropped, calls: calls.length });
  }
  return soFar;
}

function noPairs(): PairsSoFar {
  return { count: 0, shapes: [], requests: [], nextDraw: 0, dropped: {}, lengths: {} };
}

function note(
  soFar: PairsSoFar,
  pair: Pick<FiledPair, "draw" | "dropped"> & { shape: string; request: string; calls: number },
): void {
  soFar.count += 1;
  soFar.shapes.push(pair.shape);
  soFar.requests.push(pair.request);
  soFar.nextDraw = pair.draw + 1;
  soFar.lengths[pair.calls] = (soFar.lengths[pair.calls] ?? 0) + 1;
  soFar.dropped = together(soFar.dropped, pair.dropped);
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

async function textOf(file: string): Promise<string> {
  // Creates the file if needed, so that an unwritable place is noticed before a model is asked.
  const handle = await open(file, "a");
  await handle.close();
  return await readFile(file, "utf8");
}

async function appendLine(file: string, line: string, size: number): Promise<void> {
  const handle = await open(file, "a");
  try {
    if ((await handle.stat()).size !== size) {
      throw otherFile(file, "something else has written to it meanwhile");
    }
    await handle.writeFile(line);
    await handle.sync();
  } finally {
    await handle.close();
  }
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
