import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ZodType } from "zod";
import { jsonOrNothing } from "../files.js";
import { ExperimentFailed } from "./experimentFailed.js";

/** A file of JSON lines, to which a line is added for whatever has ended. */
interface RecordFile<Line> {
  folder: string;
  name: string;
  /** What a line has to be; anything where it is absent. */
  schema?: ZodType<Line>;
}

/** Adds a line, which is on the disk when this returns. */
export function appendLine<Line>({ folder, name }: RecordFile<Line>, line: Line): void {
  appendFileSync(join(folder, name), `${JSON.stringify(line)}\n`, { flush: true });
}

/** A process that is killed while it writes leaves half a line; what it was about is made again, or goes on. */
export function dropTornLine<Line>({ folder, name }: RecordFile<Line>): void {
  const file = join(folder, name);
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
}

/**
 * The whole lines of a file: one that is being written has no end yet.
 *
 * @throws ExperimentFailed when a line is no JSON, or not what it has to be
 */
export function readLines<Line>({ folder, name, schema }: RecordFile<Line>): Line[] {
  const file = join(folder, name);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line, at) => {
    const broken = (problem: string) =>
      new ExperimentFailed({
        folder,
        problem: `${name}:${at + 1} cannot be read (${problem})`,
        hint: "Remove that line, and the run is made again",
      });
    const value = jsonOrNothing(line);
    if (value === undefined) throw broken("no JSON");
    if (!schema) return value as Line;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw broken([issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
  });
}
