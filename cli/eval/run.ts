import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { BatchEnd } from "../../eval/runs/batch.js";
import { requireWritable } from "../../storage/files.js";
import { readResults } from "../../eval/runs/experimentFolder.js";
import { AS_RECORDED } from "../../eval/runs/experiment.js";
import type { Selection } from "../../eval/benchmarks/selectTasks.js";
import { type ExperimentOptions, prepareExperiment } from "../../eval/runs/prepare.js";
import { graphServer } from "../../eval/runs/graphServer.js";
import { runExperiment } from "../../eval/runs/runExperiment.js";
import { type ServerFacts, askFacts } from "../../eval/runs/servedLibraries.js";
import type { Pause } from "../../eval/runs/runTask.js";
import { InvalidSetting } from "../../common/errors.js";
import {
  recordingReplies,
  replayedReplies,
  type ReplyKeeper,
} from "../../models/chat/keptReplies.js";
import { requireFile } from "../../tools/sources/file.js";
import { type Summary, summarizeRuns } from "../../eval/summary/summarizeRuns.js";
import { DEFAULT_GRAPH, GRAPH_IDS } from "../../graphs/index.js";
import { OFFLINE_MODEL } from "../../state/settings.js";
import type { CommandForm } from "../command.js";
import { EXIT, untilCancelled } from "../exit.js";
import {
  jsonOrText,
  secretOf,
  settingsHelp,
  toAmount,
  toCount,
  toCountOrNone,
  toCountWithin,
  toList,
  toWhole,
  withModel,
} from "../options.js";
import { timeText, whileWorking } from "../printing/longWork.js";
import { tell } from "../printing/print.js";
import { GATE_OPTIONS, gateLines, type GateOptions, openGates } from "./gates.js";
import { agreeToCalls, subjectOf } from "./ownTools.js";
import { printReplay } from "./replay.js";
import { printSummary } from "./report.js";

interface RunOptions extends GateOptions, Selection {
  benchmark?: string;
  library?: string;
  tasks?: string;
  yes?: boolean;
  replay?: boolean;
  live?: "reads";
  graphs?: string[];
  out: string;
  runs: number;
  concurrency: number;
  seed: number;
  set?: Record<string, unknown[]>;
  models?: string[];
  others?: number;
  shuffle?: boolean;
  record?: string;
  replayModel?: string;
  maxUsd?: number;
  server?: string[];
  key?: string;
  json?: boolean;
}

/** More runs at a time would only wait for each other. */
const MOST_CONCURRENT = 1000;

/** Which tasks are run. */
const TASK_OPTIONS: CommandForm["options"] = {
  "--limit <n>": {
    text: "at most this many tasks, spread evenly over the levels",
    read: toCount,
  },
  "--split <names>": { text: "only these parts of the benchmark", read: toList },
  "--level <names>": { text: "only these levels", read: toList },
  "--task <ids>": { text: "only these tasks", read: toList },
};

/** What they are run with. */
const GRID_OPTIONS: CommandForm["options"] = {
  "--set <setting=values>": {
    text: "a setting with one value or several: topK=1,5,10",
    read: toGrid,
  },
  "--models <provider:name,...>": { text: "chat models", read: toList },
  "--others <n>": {
    text: "offer each task its own tools and this many others of the set; 0 for its own alone",
    read: toCountOrNone,
  },
  "--shuffle": "offer the tools of each task in an order drawn with the seed",
  "--seed <n>": {
    text: "seed of the first repetition and of the choice of other tools",
    read: toWhole,
    usual: 1,
  },
};

/** `tulipgraph eval run` */
export const RUN: CommandForm = {
  about: "Run every task of a benchmark with every graph. Results go to a folder",
  options: {
    "--benchmark <folder or name>":
      "a folder with tools.jsonl and queries.jsonl, or a bundled benchmark, such as math",
    "--tasks <file.jsonl>":
      "JSONL file of tasks for your own --library, whose tools are called for real",
    "--yes": "approve the changes that its tools may make",
    "--replay":
      "replay --tasks exported by `eval from-threads`: calls are answered from recordings, and no tool is called; with --library, its current tools are offered",
    "--live <calls>": {
      text: "with --replay and --library: make unrecorded reads for real",
      choices: ["reads"],
    },
    "--out <folder>": {
      text: "results folder; the same command continues an unfinished batch",
      isRequired: true,
    },
    "--graphs <graphs>": {
      text: `graphs, files with your own wirings, or all (default: ${DEFAULT_GRAPH}; with --replay, the recorded graphs)`,
      read: toList,
    },
    "--runs <n>": { text: "repetitions of each task", read: toCount, usual: 1 },
    "--concurrency <n>": {
      text: "concurrent runs",
      read: toCountWithin(MOST_CONCURRENT),
      usual: 4,
    },
    ...TASK_OPTIONS,
    ...GRID_OPTIONS,
    ...GATE_OPTIONS,
    "--server <urls>": {
      text: "have servers of one database make the runs (see `serve`)",
      read: toList,
      // Servers ask the models themselves.
      conflicts: ["record", "replayModel"],
    },
    "--key <key>": "key for the servers, or the variable that holds it: '$TEAM_KEY'",
    "--record <file.jsonl>": {
      text: "keep the replies of models in this file",
      conflicts: ["replayModel"],
    },
    "--replay-model <file.jsonl>": "take the replies from this file; no model is asked",
    "--max-usd <x>": { text: "stop after spending this many dollars", read: toAmount },
  },
  moreHelp: settingsHelp,
  examples: [
    "tulipgraph eval run --benchmark math --out results/tulip",
    "tulipgraph eval run --library shop --tasks tasks.jsonl --out results/shop",
    "tulipgraph eval run --replay --tasks runs.jsonl --models openai:gpt-4.1-mini --out results/upgrade",
  ],
  run: evalRun,
};

async function evalRun(options: RunOptions): Promise<number> {
  const served = await servedOf(options);
  const prepared = await prepareExperiment(await experimentOptions(options, served?.usual));
  const decide = openGates(options, prepared);
  agreeToCalls(prepared, options.yes);
  const { out, concurrency, maxUsd, json } = options;
  const folder = resolve(out);
  const how = { prepared, folder, concurrency, maxUsd, served, replies: keeperOf(options) };
  return await untilCancelled(async (signal) => {
    const end = await runExperiment({ ...how, signal, onPause, announce: whileWorking });
    return await printEnd({ end, folder: out, json, decide });
  });
}

/** The servers of `--server`, and what they say of themselves. */
async function servedOf({ server: urls, key = "", ...options }: RunOptions) {
  if (!urls) return undefined;
  const wrong = urls.find((url) => !/^https?:/.test(url) || !URL.canParse(url));
  if (wrong !== undefined) {
    throw new InvalidSetting({
      setting: "--server",
      problem: `"${wrong}" is not an address`,
      hint: "Write it as http://127.0.0.1:8123, several with commas",
    });
  }
  const secret = key.startsWith("$") ? secretOf("--key", key) : key;
  const server = graphServer({ urls, key: secret || undefined, onSilence: tell });
  const graphs = graphsOf(options);
  const ask = () => untilCancelled((signal) => askFacts(server, graphs, signal));
  return { server, ...(await whileWorking(`asking ${urls.join(", ")}`, ask)) };
}

function graphsOf({ replay, graphs = [replay ? AS_RECORDED : DEFAULT_GRAPH] }: RunOptions) {
  return graphs.includes("all") ? GRAPH_IDS : graphs;
}

/** @throws InvalidSetting unless the file can be read or written */
function keeperOf({ record, replayModel }: RunOptions): ReplyKeeper | undefined {
  if (record !== undefined) {
    requireWritable(record);
    return recordingReplies(record);
  }
  if (replayModel === undefined) return undefined;
  return replayedReplies(requireFile(replayModel, "kept replies"));
}

async function experimentOptions(
  options: RunOptions,
  usual?: ServerFacts["usual"],
): Promise<ExperimentOptions> {
  const { models, set, yes } = options;
  const benchmark = subjectOf(options);
  // With consent given in advance, no run stops to ask: nobody could answer there.
  const agreed: Record<string, string[]> =
    yes && options.library !== undefined && !options.replay ? { approval: ["none"] } : {};
  // What holds on the servers if nothing is chosen, not what would hold here.
  const there = usual && { model: [usual.model], embeddings: [usual.embeddings] };
  if (models && set?.["model"]) {
    const problem = "--models names the models, so this value would have no effect";
    throw new InvalidSetting({ setting: "--set model", problem, hint: "Leave one of them out" });
  }
  const values = { ...there, ...agreed, ...set, ...(models && { model: models }) };
  return {
    ...options,
    benchmark,
    graphs: graphsOf(options),
    values: await withUsualModel(values, options),
    isServed: usual !== undefined,
  };
}

/** The model that `solve` would use, if none is named; a replay has those of the recorded runs or replies. */
async function withUsualModel(
  values: Record<string, unknown[]>,
  { replay, replayModel }: RunOptions,
): Promise<Record<string, unknown[]>> {
  if (replay || replayModel !== undefined || values["model"]) return values;
  const { settings, modelWhy } = await withModel({});
  const { model } = settings as { model: string };
  if (model !== OFFLINE_MODEL) tell(`model ${model}, because ${modelWhy}`);
  return { ...values, model: [model] };
}

/** Prints the results so far, how the batch ended, and what its gates say. */
async function printEnd(options: {
  end: BatchEnd;
  folder: string;
  json?: boolean;
  decide: ReturnType<typeof openGates>;
}): Promise<number> {
  const { end, folder, json, decide } = options;
  const results = readResults(folder);
  const summary = summarizeRuns(results);
  const gates = decide(summary, end.kind === "done");
  const isReplay = results.experiment.definition.replay !== undefined;
  const { isAlike } = isReplay ? await printReplay(results, json) : { isAlike: true };
  if (!isReplay) printSummary(summary, json, gates);
  for (const line of [...failureLines(summary), ...gateLines(gates), endText(end, folder)])
    process.stderr.write(`${line}\n`);
  if (end.kind === "cancelled") return EXIT.cancelled;
  const failed = !isReplay && summary.runs.some(({ record }) => record.error !== undefined);
  const passed = end.kind === "done" && !failed && isAlike && gates.every(({ passed }) => passed);
  return passed ? EXIT.done : EXIT.notSolved;
}

/** Most failed runs that are named. */
const MOST_FAILURES = 5;

function failureLines({ runs }: Summary): string[] {
  const failed = runs.filter(({ record }) => record.error !== undefined);
  const lines = failed.slice(0, MOST_FAILURES).map(({ record }) => {
    return `failed: ${record.id}: ${record.error}`;
  });
  const more = failed.length - lines.length;
  return more > 0 ? [...lines, `failed: ${more} more`] : lines;
}

/** Says at once that nothing happens for a while, and why. */
function onPause({ ms, why }: Pause): void {
  process.stderr.write(`all runs wait ${timeText(ms / 1000)}: ${why}\n`);
}

/** What to do after an early end. */
const GO_ON = "the same command continues where it stopped";

/** How a batch ended, and what to do next. */
function endText(end: BatchEnd, folder: string): string {
  if (end.kind === "done") return `For charts and every run: tulipgraph eval report ${folder}`;
  if (end.kind === "cancelled") return `cancelled; ${GO_ON}`;
  if (end.kind === "spent")
    return `stopped by --max-usd: $${end.usd.toFixed(4)} spent; with a higher limit, ${GO_ON}`;
  return `stopped because one run after another failed: ${end.reason}. Fix it, and ${GO_ON}`;
}

/** `topK=1,5,10` has three values; JSON with commas, such as a list or a quoted text, is one. */
function toGrid(text: string, grid: Record<string, unknown[]> = {}): Record<string, unknown[]> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write it as setting=value or setting=value,value");
  const whole = text.slice(at + 1);
  const value = jsonOrText(whole);
  const values = value === whole ? whole.split(",").map(jsonOrText) : [value];
  // Two runs alike would have one id.
  const unique = new Map(values.map((one) => [JSON.stringify(one), one]));
  return { ...grid, [text.slice(0, at)]: [...unique.values()] };
}
