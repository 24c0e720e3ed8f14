import { InvalidArgumentError } from "commander";
import { several } from "../../common/text.js";
import { InvalidSetting } from "../../common/errors.js";
import { writeWhole } from "../../storage/files.js";
import { chatLines, stepCounts } from "../../eval/replay/chatLines.js";
import { maskRecordings } from "../../eval/replay/maskRecordings.js";
import {
  type RecordedTask,
  type RecordedThread,
  recordRuns,
} from "../../eval/replay/recordRuns.js";
import { writeRecordings } from "../../eval/replay/recordingFile.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { servedThreads } from "../../server/runs/servedThreads.js";
import type { CommandForm } from "../command.js";
import { collected, toCountOrNone, toWhole } from "../options.js";
import { printJson } from "../printing/print.js";
import { openLibrary } from "../tools/openLibrary.js";

interface FromThreadsOptions {
  library?: string;
  since?: string;
  solved?: boolean;
  out: string;
  as: "tasks" | "chat";
  others: number;
  seed: number;
  mask?: string[];
  json?: boolean;
}

/** `tulipgraph eval from-threads` */
export const FROM_THREADS: CommandForm = {
  about:
    "Export recorded runs as tasks for `eval run --replay`, or as conversations to train a model on",
  options: {
    "--out <file.jsonl>": { text: "JSONL file to write", isRequired: true },
    "--since <date>": {
      text: "only runs that ended since 2026-11-01, or a time in ISO 8601",
      read: toDate,
    },
    "--solved": "only runs that solved their requests",
    "--mask <text or /pattern/>": {
      text: "replace a value everywhere by a placeholder; repeatable; keys and passwords are always replaced",
      read: collected,
    },
    "--as <form>": {
      text: "tasks to replay, or lines of { messages, tools } for fine-tuning",
      choices: ["tasks", "chat"],
      usual: "tasks",
    },
    "--others <n>": {
      text: "with --as chat: tools to add that a run did not call",
      read: toCountOrNone,
      usual: 0,
    },
    "--seed <n>": {
      text: "with --as chat: draws them and the order of tools",
      read: toWhole,
      usual: 1,
    },
  },
  examples: [
    "tulipgraph eval from-threads --library shop --solved --out runs.jsonl",
    "tulipgraph eval from-threads --library shop --solved --as chat --others 10 --out train.jsonl",
    "tulipgraph eval from-threads --library shop --mask '/[\\w.]+@[\\w.]+/' --out runs.jsonl",
  ],
  run: exportRuns,
};

async function exportRuns(options: FromThreadsOptions): Promise<void> {
  const { out, mask = [], json } = options;
  const threads = await threadsOf(options);
  const name = libraryOf(threads, options.library);
  const tasks: RecordedTask[] = [];
  for (const thread of threads) {
    const runs = await recordRuns(thread);
    tasks.push(...runs.filter(({ recording }) => isWanted(recording, options)));
  }
  if (tasks.length === 0) throw nothingToExport(options);
  const opened = await openLibrary(parseSettings({ library: name }));
  const { description, revision } = opened;
  const library = { name, description, revision, tools: opened.list() };
  const masked = maskRecordings({ library, tasks }, mask);
  if (options.as === "chat") return writeChat(masked, options);
  writeRecordings(out, masked);
  const calls = tasks.reduce((sum, { recording }) => sum + recording.calls.length, 0);
  if (json) return printJson({ library: name, runs: tasks.length, calls, file: out });
  process.stdout.write(
    `library ${name}: ${several(tasks.length, "run")} with ${several(calls, "call")} in ${out}\n`,
  );
  process.stderr.write(`To replay them: tulipgraph eval run --replay --tasks ${out} --out DIR\n`);
}

function writeChat(
  runs: ReturnType<typeof maskRecordings>,
  { out, others, seed, json }: FromThreadsOptions,
): void {
  const lines = chatLines(runs, { others, seed });
  writeWhole(out, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const steps = stepCounts(lines);
  if (json) return printJson({ library: runs.library.name, ...steps, file: out });
  const counts = `${steps.single} with one call, ${steps.multi} with several`;
  process.stdout.write(`${several(lines.length, "conversation")} in ${out}: ${counts}\n`);
}

/** The threads of the library, those of this command line and those of a server on the same home. */
async function threadsOf({ library }: FromThreadsOptions): Promise<RecordedThread[]> {
  const { checkpoints, place } = openWorkspace();
  const served = [...(await servedThreads(place))].flatMap(([id, runs]): RecordedThread[] => {
    const last = [...runs.values()].at(-1);
    return last ? [{ id, runs, ...last }] : [];
  });
  const threads = [...(await checkpoints().threads.list()).toReversed(), ...served];
  return threads.filter((thread) => library === undefined || nameOf(thread) === library);
}

function nameOf({ settings }: RecordedThread): string {
  return parseSettings(settings).library;
}

/** @throws InvalidSetting unless all threads have one library */
function libraryOf(threads: readonly RecordedThread[], wanted?: string): string {
  const [name, ...others] = [...new Set(threads.map(nameOf))];
  if (name !== undefined && others.length === 0) return name;
  if (name === undefined) throw nothingToExport({ library: wanted });
  throw new InvalidSetting({
    setting: "eval from-threads",
    problem: `the threads use several libraries (${[name, ...others].join(", ")})`,
    hint: "Name one of them with --library",
  });
}

function isWanted(
  { status, endedAt }: RecordedTask["recording"],
  { since = "", solved }: FromThreadsOptions,
): boolean {
  return endedAt >= since && (!solved || status === "solved");
}

function nothingToExport({ library, since, solved }: Partial<FromThreadsOptions>): InvalidSetting {
  const which = [
    solved ? "solved " : "",
    "run has ended",
    library === undefined ? "" : ` with library ${library}`,
    since === undefined ? "" : ` since ${since}`,
  ].join("");
  const hint = "See what there is with: tulipgraph threads";
  return new InvalidSetting({ setting: "eval from-threads", problem: `no ${which}`, hint });
}

function toDate(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError("Not a date such as 2026-11-01");
  return new Date(time).toISOString();
}
