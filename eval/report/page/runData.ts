import { issueLine } from "../../../plans/language/faultText.js";
import { writtenValue } from "../../../plans/steps/solutionText.js";
import type { Task } from "../../benchmarks/benchmark.js";
import type { RunRecord } from "../../runs/runRecord.js";
import type { ScoredRun, Summary } from "../../summary/summary.js";
import { formatCount } from "../figureText.js";
import { verdictOf } from "../scores.js";
import {
  RUN_COLUMNS,
  type RunDetails,
  type RunLine,
  type RunList,
  type ShownCall,
} from "./payload.js";

/** Characters shown of a result, an argument list or an answer; the records have the rest. */
const MOST_LETTERS = 2000;
/** Characters shown of a setting: lists of tools are long, and the same in every run. */
const MOST_SETTING_LETTERS = 400;
/** Characters of an answer that can be searched. */
const SEARCHED_LETTERS = 160;

/** Columns that are left out if all runs have the same value. */
const SOMETIMES_EMPTY: (keyof RunLine)[] = ["level", "variant", "run", "recall", "usd"];

/** The list of runs. */
export function runList(summary: Summary): RunList {
  const tasks = tasksById(summary);
  const runs = summary.runs.map((scored) => lineOf(scored, tasks));
  return {
    columns: RUN_COLUMNS.filter(({ key }) => !SOMETIMES_EMPTY.includes(key) || varies(runs, key)),
    runs,
    queries: Object.fromEntries(summary.tasks.map(({ id, query }) => [id, shorten(query)])),
  };
}

/** The details of each run, in the order of the list. */
export function runDetails(summary: Summary): RunDetails[] {
  const tasks = tasksById(summary);
  return summary.runs.map((scored) => detailsOf({ scored, tasks, scorers: summary.scorers }));
}

function varies(runs: RunLine[], key: keyof RunLine): boolean {
  return new Set(runs.map((run) => run[key])).size > 1;
}

function lineOf(scored: ScoredRun, tasks: Map<string, Task>): RunLine {
  const { record, scores, problems } = scored;
  return {
    task: record.task,
    level: tasks.get(record.task)?.level ?? "",
    graph: record.graph,
    variant: record.variant,
    run: record.run,
    status: record.status,
    verdict: verdictOf(scored) ?? null,
    recall: scores["toolRecall"] ?? null,
    calls: record.calls.length,
    tokens: record.usage.inputTokens + record.usage.outputTokens,
    usd: record.usd,
    ms: record.wallMs,
    marked: Object.keys(problems).length > 0,
    answer: record.answer.slice(0, SEARCHED_LETTERS),
  };
}

function detailsOf(request: {
  scored: ScoredRun;
  tasks: Map<string, Task>;
  scorers: Summary["scorers"];
}): RunDetails {
  const { scored, tasks, scorers } = request;
  const { record, scores, problems } = scored;
  return {
    id: record.id,
    task: shownTask(tasks.get(record.task)),
    status: record.status,
    answer: shorten(record.answer),
    ...(record.error === undefined ? {} : { error: shorten(record.error) }),
    ...(record.stateDiff ? { change: shownJson(record.stateDiff) } : {}),
    problems: Object.entries(problems),
    scores: scorers.flatMap(({ id, label, unit }) => {
      const value = scores[id];
      return value === undefined ? [] : { label, value, unit };
    }),
    stages: record.stages,
    subtasks: record.subtasks,
    searches: record.searches,
    plan: [...planLines(record), ...programLines(record)],
    calls: record.calls.map(shownCall),
    estimated: record.usage.estimated === true,
    settings: settingsOf(record),
    facts: factsOf(record),
  };
}

function shownTask(task: Task | undefined): RunDetails["task"] {
  // A benchmark may have lost a task that old records are about.
  if (!task) return { query: "", tools: [] };
  const { query, tools, split, calls, answers, stateDiff } = task;
  return {
    query: shorten(query),
    tools,
    split,
    calls: calls?.map((call) => `${call.tool}(${shownJson(call.args)})`),
    answers: answers?.map(String).join(" or "),
    change: stateDiff && shownJson(stateDiff),
  };
}

function planLines({ plan }: RunRecord): string[] {
  if (!plan) return [];
  const { steps, answer, issues } = plan;
  return [
    ...steps.map(({ tool, args }, at) => `${at}. ${tool}(${shownJson(writtenValue(args))})`),
    ...(answer ? [`answer: ${shorten(answer)}`] : []),
    ...issues.map(({ problem }) => `not mended: ${problem}`),
  ];
}

function programLines({ program }: RunRecord): string[] {
  if (!program) return [];
  const { code, repairs, issues, left } = program;
  return [
    shorten(code),
    ...repairs.map((repair) => `mended: ${repair}`),
    ...issues.map((issue) => `not mended: ${issueLine(issue)}`),
    ...(left ? [`left, because ${left}`] : []),
  ];
}

function shownCall({ tool, args, result, error, ms }: RunRecord["calls"][number]): ShownCall {
  return {
    tool,
    args: shownJson(args),
    ...(result === undefined ? {} : { result: shownJson(result) }),
    ...(error === undefined ? {} : { error: shorten(error) }),
    ms,
  };
}

/** The settings that are not among the facts. */
function settingsOf({ settings }: RunRecord): [name: string, value: string][] {
  return Object.entries(settings)
    .filter(([name]) => name !== "model" && name !== "embeddings")
    .map(([name, value]) => [name, shorten(jsonOf(value), MOST_SETTING_LETTERS)]);
}

function factsOf(record: RunRecord): [label: string, value: string][] {
  return [
    ["Model", record.model],
    ["Embeddings", record.embeddings],
    ["Attempt", `${record.attempt}${record.resumed ? ", continued after an interruption" : ""}`],
    ["Started", record.startedAt],
    ["Ended", record.endedAt],
    ["Thread", record.threadId],
  ];
}

function tasksById(summary: Summary): Map<string, Task> {
  return new Map(summary.tasks.map((task) => [task.id, task]));
}

function shownJson(value: unknown): string {
  return shorten(jsonOf(value));
}

/** JSON, but texts without quotes. */
function jsonOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
}

/** Cuts a long text and says so. */
function shorten(text: string, most = MOST_LETTERS): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most)}… [cut here: ${formatCount(text.length)} characters in all]`;
}
