import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidSetting, messageOf } from "../../common/errors.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { Task } from "../benchmarks/benchmark.js";
import { writeWhole } from "../files.js";
import type { ToolShape } from "../scorers/scorer.js";
import type { LibraryCost } from "../summary/summary.js";
import type { Experiment, ExperimentDefinition } from "./experiment.js";
import { ExperimentFailed } from "./experimentFailed.js";
import { openLocked } from "./lock.js";
import { type RunRecord, runRecordSchema } from "./runRecord.js";
import { appendLine, dropTornLine, readLines } from "./recordFile.js";

const EXPERIMENT = "experiment.json";
const TASKS = "tasks.jsonl";
const RUNS = { name: "runs.jsonl", schema: runRecordSchema };
const LIBRARIES = "libraries.json";
const TOOLS = "tools.json";

/** The contents of an experiment's folder. */
export interface Results {
  experiment: Experiment;
  /** The tasks with their gold data, so that results can be judged without the benchmark. */
  tasks: Task[];
  /** All attempts, oldest first. */
  records: RunRecord[];
  /** What embedding the libraries cost. */
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
  return openLocked(folder, () => {
    if (existsSync(join(folder, EXPERIMENT))) requireSame(folder, experiment);
    else writeExperiment(folder, experiment, tasks);
    const runs = { folder, ...RUNS };
    dropTornLine(runs);
    return {
      ...readResults(folder),
      append: (record) => appendLine(runs, record),
      keepLibraries: (libraries) => writeJson(join(folder, LIBRARIES), libraries),
      keepTools: (tools) => writeJson(join(folder, TOOLS), tools.map(shapeOf)),
    };
  });
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
    tasks: readLines<Task>({ folder, name: TASKS }),
    records: readLines({ folder, ...RUNS }),
    libraries: existsSync(join(folder, LIBRARIES))
      ? (jsonIn(folder, LIBRARIES) as LibraryCost[])
      : [],
    ...(existsSync(join(folder, TOOLS)) && { tools: jsonIn(folder, TOOLS) as ToolShape[] }),
  };
}

/** What calls are judged by; the source of a tool does not matter. */
function shapeOf({ id, name, description, parameters }: ToolShape): ToolShape {
  return { id, name, description, parameters };
}

/** @throws ExperimentFailed */
function requireSame(folder: string, wanted: Experiment): void {
  const there = identityOf(jsonIn(folder, EXPERIMENT) as Experiment);
  const given = identityOf(wanted);
  const keys = Object.keys({ ...there, ...given }) as Key[];
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

type Key = keyof ExperimentDefinition;

/** Writes the experiment last: a folder that has it is complete. */
function writeExperiment(folder: string, experiment: Experiment, tasks: readonly Task[]): void {
  if (existsSync(join(folder, RUNS.name))) {
    throw new InvalidSetting({
      setting: "--out",
      problem: `${folder} has a ${RUNS.name} but no ${EXPERIMENT}`,
      hint: "Choose an empty folder",
    });
  }
  writeWhole(join(folder, TASKS), tasks.map((task) => `${JSON.stringify(task)}\n`).join(""));
  writeJson(join(folder, EXPERIMENT), experiment);
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
