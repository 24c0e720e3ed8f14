import { CATALOGS } from "../../../tools/catalogs/index.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { Benchmark, GoldCall, Task } from "../benchmark.js";
import { catalogTools } from "../shipped.js";
import { stateDiffOf } from "./workChange.js";
import {
  type Outcome,
  PARTS,
  type PlannedTask,
  PROGRAM_PARTS,
  type ProgrammedTask,
} from "./workTask.js";

const CATALOG = "work";

const PROGRAM = "program";

/**
 * The benchmark of the catalog for work items: 120 requests in everyday words. 80 have gold plans of one call (level
 * "easy"), two or three ("medium") or four to seven ("hard"); no tool can do anything for 8 of them (level
 * "unsolvable"), and the gold of 7 (split "partly solvable") is the part that can be done. 40 have gold programs (level
 * "program") with conditions, loops, counts and dates, which no list of calls can express; in 10 of those (split
 * "beyond the tools") there is something that no tool can do, in 4 of them everything.
 */
export async function workBenchmark(): Promise<Benchmark> {
  const tools = await catalogTools(CATALOG);
  const planned = PARTS.flatMap(({ split, tasks }) =>
    tasks.map((task) => plannedTask(split, task)),
  );
  const programmed = PROGRAM_PARTS.flatMap(({ split, tasks }) =>
    tasks.map((task) => programmedTask(split, task)),
  );
  const tasks = [...planned, ...programmed];
  return {
    name: "work",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ tasks, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    background: CATALOGS[CATALOG]?.background,
    catalog: CATALOG,
    world: { name: CATALOG },
  };
}

function plannedTask(split: string, task: PlannedTask): Task {
  const { id, query, plan, outcome } = task;
  const { calls = plan.steps } = outcome ?? {};
  return { id, query, ...goldOf(calls, outcome), plan, level: levelOf(calls.length), split };
}

function programmedTask(split: string, task: ProgrammedTask): Task {
  const { id, query, program, outcome } = task;
  const { calls = [] } = outcome ?? {};
  return { id, query, ...goldOf(calls, outcome), program, level: PROGRAM, split };
}

/** If nothing can be done, there is no change to compare. */
function goldOf(calls: GoldCall[], outcome: Outcome | undefined = {}) {
  const { facts, changes = {}, unmet } = outcome;
  return {
    tools: calls.map(({ tool }) => tool),
    calls,
    ...(facts ? { facts } : {}),
    ...(calls.length > 0 ? { stateDiff: stateDiffOf(changes) } : {}),
    ...(unmet ? { unmet } : {}),
  };
}

function levelOf(calls: number): string {
  if (calls === 0) return "unsolvable";
  if (calls === 1) return "easy";
  return calls <= 3 ? "medium" : "hard";
}
