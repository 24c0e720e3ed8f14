import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { ZodType } from "zod";
import { explained, messageOf, TulipgraphError } from "../../common/errors.js";
import { jsonOrNothing } from "../../common/jsonInText.js";
import { issueText } from "../../common/schemas/issueText.js";
import { type Database, openDatabase } from "../../storage/sqlite/sqlite.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { Task } from "../benchmarks/benchmark.js";
import type { ToolShape } from "../scorers/scorer.js";
import type { Experiment, ExperimentDefinition } from "./experiment.js";
import { type RunRecord, runRecordSchema } from "./runRecord.js";
import { requireWritable, writeWhole } from "../../storage/files.js";

/** An experiment's folder that cannot be used as it is. */
export class ExperimentFailed extends TulipgraphError {
  readonly code = "EXPERIMENT_FAILED";

  constructor(readonly details: { folder: string; problem: string; hint?: string }) {
    super(explained(details.folder, details));
  }
}

const EXPERIMENT = "experiment.json";
const TASKS = "tasks.jsonl";
const RUNS = "runs.jsonl";
const LIBRARIES = "libraries.json";
const TOOLS = "tools.json";

/** What embedding a library cost, apart from the runs. */
export interface LibraryCost {
  library: string;
  embeddings: string;
  tools: number;
  embeddingTokens: number;
  usd: number | null;
}

/** The contents of an experiment's folder. */
export interface Results {
  experiment: Experiment;
  /** The tasks with their gold data, so that results can be judged without the benchmark. */
  tasks: Task[];
  /** All attempts, oldest first. */
  records: RunRecord[];
  libraries: LibraryCost[];
  /** The benchmark's tools; absent in folders of old versions, which stored only their number. */
  tools?: ToolShape[];
}

/** An experiment's folder while one process makes its runs. */
export interface ExperimentFolder extends Results {
  /** Appends a line, which is on disk when this returns. */
  append: (record: RunRecord) => void;
  keepLibraries: (libraries: readonly LibraryCost[]) => void;
  keepTools: (tools: readonly ToolShape[]) => void;
  close: () => void;
}

/** Data of the runs: checkpoints, journal and libraries. */
export function homeIn(folder: string): string {
  return join(folder, "home");
}

/**
 * Opens a folder for an experiment: a new one, or one with earlier runs of the same experiment.
 *
 * @throws ExperimentFailed if another process is working there, or it holds another experiment
 */
export function openExperimentFolder(options: {
  folder: string;
  experiment: Experiment;
  tasks: readonly Task[];
}): ExperimentFolder {
  const { folder, experiment, tasks } = options;
  requireWritable(join(folder, EXPERIMENT));
  const lock = takeLock(folder);
  try {
    begin(folder, experiment, tasks);
    const runs = join(folder, RUNS);
    dropTornLine(runs);
    return {
      ...readResults(folder),
      append: (record) => {
        appendFileSync(runs, `${JSON.stringify(record)}\n`, { flush: true });
      },
      keepLibraries: (libraries) => writeJson(join(folder, LIBRARIES), libraries),
      keepTools: (tools) => writeJson(join(folder, TOOLS), tools.map(shapeOf)),
      close: () => giveBack(lock),
    };
  } catch (error) {
    giveBack(lock);
    throw error;
  }
}

/** Writes what an experiment is, unless the folder says it already. */
function begin(folder: string, experiment: Experiment, tasks: readonly Task[]): void {
  if (existsSync(join(folder, EXPERIMENT))) return requireSame(folder, experiment);
  if (existsSync(join(folder, RUNS))) {
    const problem = `has a ${RUNS} but no ${EXPERIMENT}`;
    throw new ExperimentFailed({ folder, problem, hint: "Choose an empty folder" });
  }
  writeWhole(join(folder, TASKS), tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
  // Last: a folder that has it is complete.
  writeJson(join(folder, EXPERIMENT), experiment);
}

/**
 * Reads what an experiment has so far, even while it runs.
 *
 * @throws ExperimentFailed if there is no experiment, or a line is not a run
 */
export function readResults(folder: string): Results {
  if (!existsSync(join(folder, EXPERIMENT))) {
    throw new ExperimentFailed({
      folder,
      problem: `holds no experiment (there is no ${EXPERIMENT})`,
      hint: "Make one with: tulipgraph eval run --benchmark NAME_OR_FOLDER --out DIR",
    });
  }
  return {
    experiment: jsonIn(folder, EXPERIMENT) as Experiment,
    tasks: readLines<Task>(folder, TASKS),
    records: readLines(folder, RUNS, runRecordSchema),
    libraries: existsSync(join(folder, LIBRARIES))
      ? (jsonIn(folder, LIBRARIES) as LibraryCost[])
      : [],
    ...(existsSync(join(folder, TOOLS)) && { tools: jsonIn(folder, TOOLS) as ToolShape[] }),
  };
}

/** What calls are judged by; the source of a tool does not matter. */
function shapeOf({ id, name, description, parameters, effects }: ToolShape): ToolShape {
  return { id, name, description, parameters, effects };
}

function requireSame(folder: string, wanted: Experiment): void {
  const there = identityOf(jsonIn(folder, EXPERIMENT) as Experiment);
  const given = identityOf(wanted);
  const keys = Object.keys({ ...there, ...given }) as (keyof ExperimentDefinition)[];
  const different = keys.filter((key) => canonicalJson(there[key]) !== canonicalJson(given[key]));
  if (different.length === 0) return;
  throw new ExperimentFailed({
    folder,
    problem: `holds another experiment, which differs in: ${different.join(", ")}`,
    hint: "Choose another --out, or give the same options to go on",
  });
}

/** A benchmark is the same wherever it lies and however its path is written. */
function identityOf({ definition }: Experiment) {
  const { name, hash } = definition.benchmark;
  return { ...definition, benchmark: { name, hash } };
}

function writeJson(file: string, value: unknown): void {
  writeWhole(file, `${JSON.stringify(value, null, 2)}\n`);
}

function jsonIn(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch (error) {
    const reason = messageOf(error);
    throw new ExperimentFailed({ folder, problem: `${name} cannot be read (${reason})` });
  }
}

/** Removes the half line that a process killed while writing leaves; its run is made again or resumed. */
function dropTornLine(file: string): void {
  if (!existsSync(file)) return;
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
}

/**
 * The complete lines of a file; a line that is still being written is left out.
 *
 * @param schema absent if a line may be anything
 * @throws ExperimentFailed if a line is not JSON or does not fit the schema
 */
function readLines<Line>(folder: string, name: string, schema?: ZodType<Line>): Line[] {
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
    throw broken(
      [issue?.path.join("."), issueText(parsed.error, value)].filter(Boolean).join(": "),
    );
  });
}

/** SQLite's file lock: unlike a file with a process id, the system releases it however the process ends. */
function takeLock(folder: string): Database {
  const database = openDatabase({ file: join(folder, "lock.db"), migrations: [] });
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.exec("BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database.close();
    if (!String(error).includes("locked")) throw error;
    throw new ExperimentFailed({
      folder,
      problem: "another process is running this experiment",
      hint: "Wait for it, or choose another --out",
    });
  }
}

/** A database closed within a transaction would keep its lock until its statements are collected. */
function giveBack(lock: Database): void {
  if (!lock.open) return;
  lock.exec("ROLLBACK");
  lock.close();
}
