import { InvalidSetting } from "../../common/errors.js";
import { givenFields } from "../../common/givenFields.js";
import { several } from "../../common/text.js";
import { findGraph, ownGraphHashes } from "../../graphs/ownGraphs.js";
import { openChatModel } from "../../models/chat/chat.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { dollarsOf, requireBudget } from "../../models/prices.js";
import { bestCatalog } from "./prepareLibraries.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import { NOTHING_USED } from "../../state/state.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { openBenchmark } from "../benchmarks/index.js";
import { type OwnTasks, ownBenchmark } from "../benchmarks/ownTasks.js";
import { type Selection, selectTasks } from "../benchmarks/selectTasks.js";
import { SIMULATED_GOLD, SIMULATED_VALUES } from "../simulated/policyParameters.js";
import { goldOf } from "../simulated/goldSteps.js";
import { registerSimulated } from "../simulated/provider.js";
import { recordedBenchmark, type ReplayedTasks } from "../replay/recordedBenchmark.js";
import { AS_RECORDED, type ExperimentDefinition, type Variant, variantsOf } from "./experiment.js";

/** What a user asks for. */
export interface ExperimentOptions extends Selection {
  /** A folder, the name of a shipped benchmark, the user's own tools with tasks for them, or recorded runs. */
  benchmark: string | OwnTasks | ReplayedTasks;
  graphs: readonly string[];
  /** Settings with the values that each takes in turn, in all combinations. */
  values: Record<string, readonly unknown[]>;
  runs: number;
  seed: number;
  others?: number;
  shuffle?: boolean;
  maxUsd?: number;
  /** The file that replies come from, if no model is needed. */
  replayModel?: string;
  isServed?: boolean;
}

/** An experiment that passed every check that can be made before it costs something. */
export interface PreparedExperiment {
  benchmark: Benchmark;
  tasks: Task[];
  definition: ExperimentDefinition;
}

/**
 * Reads the benchmark and checks graphs, settings, models and keys of all runs.
 *
 * @throws UnknownName, InvalidSetting, ModelFailed, BenchmarkFailed
 */
export async function prepareExperiment(options: ExperimentOptions): Promise<PreparedExperiment> {
  registerSimulated();
  const { values, runs, seed, others, shuffle } = options;
  requireCountable(options, 1);
  const given = Object.entries(values);
  const variants = variantsOf(Object.fromEntries(given.filter(([, { length }]) => length > 1)));
  const settings = Object.fromEntries(
    given.flatMap(([name, all]) => (all.length === 1 ? [[name, all[0]]] : [])),
  );
  const { embeddings } = parseSettings({ ...settings, ...variants[0]?.settings });
  const whole = await benchmarkOf(options.benchmark, embeddings);
  if (options.isServed) requireServable(whole);
  const tasks = selectTasks(whole, options);
  requireCountable(options, tasks.length);
  const benchmark = others === undefined && whole.others === 0 ? offeredIn(whole, tasks) : whole;
  registerSimulated(tasks);
  const graphs = options.graphs.map((graph) =>
    benchmark.replay && graph === AS_RECORDED ? graph : findGraph(graph),
  );
  for (const each of settingsOfRuns(tasks, settings, variants)) {
    requireGold(each, tasks);
    await requireModels(each, options);
    await requireBudget(each);
    if (options.maxUsd !== undefined) await requirePrice(each);
  }
  requireFree(Object.keys(values), benchmark);
  const { name, source, hash, argumentRule, world, library, tools } = benchmark;
  const definition: ExperimentDefinition = {
    benchmark: { name, source, hash, argumentRule, world, library, tools: tools.length },
    tasks: tasks.map(({ id }) => id),
    graphs,
    ...givenFields({ ownGraphs: ownGraphHashes(graphs) }),
    variants,
    runs,
    settings: benchmark.replay ? settings : pinned(settings, values),
    seed,
    ...givenFields({ catalog: await catalogOf(benchmark), others }),
    ...(shuffle ? { shuffled: true as const } : {}),
    ...(options.isServed ? { isServed: true as const } : {}),
    ...givenFields({ replay: replayOf(benchmark) }),
  };
  return { benchmark, tasks, definition };
}

/** Runs of an experiment: all are planned, and all records read, at each start. */
const MOST_RUNS = 100_000;

/** @throws InvalidSetting for more runs than an experiment can have */
function requireCountable({ graphs, values, runs }: ExperimentOptions, tasks: number): void {
  const variants = Object.values(values).reduce((product, { length }) => product * length, 1);
  const count = tasks * graphs.length * variants * runs;
  if (count <= MOST_RUNS) return;
  const counts = [
    ...(tasks > 1 ? [several(tasks, "task")] : []),
    several(graphs.length, "graph"),
    ...(variants > 1 ? [several(variants, "combination")] : []),
    several(runs, "repetition"),
  ];
  throw new InvalidSetting({
    setting: "eval run",
    problem: `${counts.join(" × ")} are ${count} runs, and an experiment has at most ${MOST_RUNS}`,
    hint: "Lower --runs, or share the tasks out over several folders with --level or --task",
  });
}

/** Tools of tasks that were not selected are offered to none, and need not be embedded. */
function offeredIn(benchmark: Benchmark, tasks: readonly Task[]): Benchmark {
  const ids = new Set(tasks.flatMap((task) => [...(task.candidates ?? []), ...task.tools]));
  return { ...benchmark, tools: benchmark.tools.filter(({ id }) => ids.has(id)) };
}

function replayOf({ replay }: Benchmark): ExperimentDefinition["replay"] {
  return replay && { live: replay.live, renamed: replay.renamed };
}

async function benchmarkOf(
  wanted: ExperimentOptions["benchmark"],
  embeddings: string,
): Promise<Benchmark> {
  if (typeof wanted === "string") return await openBenchmark(wanted);
  if ("recordings" in wanted) return await recordedBenchmark({ ...wanted, embeddings });
  return await ownBenchmark({ ...wanted, embeddings });
}

/** @throws InvalidSetting for a simulated model that knows gold calls, if there are none */
function requireGold({ model }: Settings, tasks: readonly Task[]): void {
  if (model !== SIMULATED_GOLD && model !== SIMULATED_VALUES) return;
  const ignorant = tasks.find((task) => goldOf(task) === undefined);
  if (!ignorant) return;
  throw new InvalidSetting({
    setting: `--models ${model}`,
    problem: `it plays gold calls, and the task ${ignorant.id} does not say any`,
    hint: 'Add "calls" to each task, or use a language model',
  });
}

/** @throws InvalidSetting if runs need something of this process, which servers do not have */
function requireServable({ replay, world, ownWorlds, name }: Benchmark): void {
  if (!replay && !world && !ownWorlds) return;
  throw new InvalidSetting({
    setting: "--server",
    problem: replay
      ? "calls are answered from recordings in this process, and a server would make them"
      : `the tools of ${name} act on a world that is made in this process for each task`,
    hint: "Leave --server out",
  });
}

/** Settings that the experiment itself decides, and what to do instead. */
const DECIDED = new Map([
  ["library", "name a library of yours with --library and --tasks"],
  ["toolIds", "say with --others what a task is offered"],
  ["seed", "give the seed of the first repetition with --seed"],
]);

/**
 * @param named the settings that the user gave
 * @throws InvalidSetting for one that would have no effect
 */
function requireFree(named: readonly string[], benchmark: Benchmark): void {
  const decided = new Map(DECIDED);
  if (benchmark.background !== undefined) {
    decided.set("background", `leave it out: the tasks of ${benchmark.name} are about its own`);
  }
  const setting = named.find((each) => decided.has(each));
  if (setting === undefined) return;
  throw new InvalidSetting({
    setting: `--set ${setting}`,
    problem: "the experiment itself decides it, so this value would have no effect",
    hint: decided.get(setting),
  });
}

/** The default models depend on the environment, which may differ when the batch is continued. */
function pinned(settings: Record<string, unknown>, values: ExperimentOptions["values"]) {
  const { model, embeddings } = parseSettings(settings);
  const usual = Object.entries({ model, embeddings });
  return { ...settings, ...Object.fromEntries(usual.filter(([key]) => !values[key])) };
}

/** All different settings of an experiment; those of recorded runs stand behind its own. */
function settingsOfRuns(
  tasks: readonly Task[],
  settings: Record<string, unknown>,
  variants: readonly Variant[],
): Settings[] {
  const before = new Map(
    tasks.map(({ recording }) => [canonicalJson(recording?.settings), recording?.settings]),
  );
  return [...before.values()].flatMap((recorded) =>
    variants.map((variant) => parseSettings({ ...recorded, ...settings, ...variant.settings })),
  );
}

async function requireModels(
  settings: Settings,
  { replayModel, isServed }: ExperimentOptions,
): Promise<void> {
  const { model, embeddings, temperature, seed, maxOutputTokens } = settings;
  if (isServed) return;
  if (replayModel === undefined) await openChatModel(model, { temperature, seed, maxOutputTokens });
  await openEmbeddings(embeddings);
}

async function requirePrice(settings: Settings): Promise<void> {
  const { model, embeddings } = settings;
  if ((await dollarsOf({ ...settings, usage: NOTHING_USED })) !== null) return;
  throw new InvalidSetting({
    setting: "--max-usd",
    problem: `the price of one of these is not known: ${[model, embeddings].join(", ")}`,
    hint: "leave it out, or limit the runs with --limit and --set maxModelCalls=N",
  });
}

/** The catalog whose functions implement the tools of the same names, if any. */
async function catalogOf(benchmark: Benchmark): Promise<string | undefined> {
  if (benchmark.library !== undefined || benchmark.replay) return undefined;
  return benchmark.catalog ?? (await bestCatalog(benchmark.tools.map(({ id }) => id)));
}
