import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ExperimentFailed } from "../runs/experimentFailed.js";
import { makeFolder } from "../runs/folder.js";
import { giveBack, takeLock } from "../runs/lock.js";
import { type CreationRecord, creationRecordSchema } from "./record.js";

const RECORDS = "creation.jsonl";

/** The folder of an evaluation while its requests are made, by one process alone. */
export interface CreationFolder {
  /** All attempts that it holds, oldest first. */
  records: readonly CreationRecord[];
  /** Adds a line, which is on the disk when this returns. */
  append: (record: CreationRecord) => void;
  close: () => void;
}

/**
 * Takes a folder for an evaluation: a new one, or one with lines of the same evaluation, which goes on.
 *
 * @throws ExperimentFailed when it cannot be a folder, when another process is at work there, and when a
 * line cannot be read
 */
export function openCreationFolder(folder: string): CreationFolder {
  makeFolder(folder);
  const lock = takeLock(folder);
  try {
    const file = join(folder, RECORDS);
    return {
      records: readRecords({ folder, file }),
      append: (record) => {
        appendFileSync(file, `${JSON.stringify(record)}\n`, { flush: true });
      },
      close: () => giveBack(lock),
    };
  } catch (error) {
    giveBack(lock);
    throw error;
  }
}

function readRecords({ folder, file }: { folder: string; file: string }): CreationRecord[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  // A process that was killed while it wrote has left half a line.
  if (whole.length < text.length) writeFileSync(file, whole);
  const lines = whole.split("\n").slice(0, -1);
  return lines.map((line, at) => recordOf({ folder, line, place: `${RECORDS}:${at + 1}` }));
}

function recordOf(options: { folder: string; line: string; place: string }): CreationRecord {
  const { folder, line, place } = options;
  const parsed = creationRecordSchema.safeParse(jsonOrNothing(line));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ExperimentFailed({
    folder,
    problem: `${place} cannot be read (${[issue?.path.join("."), issue?.message].filter(Boolean).join(": ")})`,
    hint: "Remove that line, and its request is made again",
  });
}

function jsonOrNothing(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // What is no JSON is no record either, and is told as that.
    return undefined;
  }
}
