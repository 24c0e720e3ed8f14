import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ZodType } from "zod";
import { jsonOrNothing } from "../files.js";
import { ExperimentFailed } from "./experimentFailed.js";

/** A file of JSON lines, one for each thing that has ended. */
interface RecordFile<Line> {
  folder: string;
  name: string;
  /** Absent if a line may be anything. */
  schema?: ZodType<Line>;
}

/** Appends a line, which is on disk when this returns. */
export function appendLine<Line>({ folder, name }: RecordFile<Line>, line: Line): void {
  appendFileSync(join(folder, name), `${JSON.stringify(line)}\n`, { flush: true });
}

/** Removes the half line that a process killed while writing leaves; its run is made again or resumed. */
export function dropTornLine<Line>({ folder, name }: RecordFile<Line>): void {
  const file = join(folder, name);
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
}

/**
 * The complete lines of a file; a line that is still being written is left out.
 *
 * @throws ExperimentFailed if a line is not JSON or does not fit the schema
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
    if (value === undefined) throw broken("not JSON");
    if (!schema) return value as Line;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw broken([issue?.path.join("."), issue?.message].filter(Boolean).join(": "));
  });
}
