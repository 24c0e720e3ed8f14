import { existsSync } from "node:fs";
import type { CommandForm } from "../command.js";
import { EXIT } from "../exit.js";
import { labelCalls } from "../learning/labelCalls.js";
import { toCount } from "../options.js";
import { UnknownName, oneLine, InvalidSetting } from "../../common/errors.js";
import { DEMONSTRATION_LINES } from "../../memory/demonstrations/demonstrationFile.js";
import type { ExperienceStats } from "../../memory/experience.js";
import {
  PAST_CALL_LINES,
  type ImportedLines,
  importLines,
  writeLines,
} from "../../memory/jsonLinesFile.js";
import { libraryNames } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { readJsonLines } from "../../tools/sources/jsonLines.js";
import { whileWorking } from "../printing/longWork.js";
import { printJson, printTable, printLine, tell } from "../printing/print.js";
import { openLibrary, storedLibrary, type CommonOptions } from "../tools/openLibrary.js";
import { demonstrationsOfRun } from "../../memory/demonstrations/ofRun.js";
import { FRESH_RUN, type GraphState } from "../../state/state.js";
import { findThread, readThread } from "../runs/threads.js";

/** `tulipgraph memory list | label | import | export` */
export const MEMORY: CommandForm = {
  about:
    "Manage past calls and demonstrations. Budgets are divided by past calls; demonstrations are solved tasks that the model is shown for similar ones",
  examples: [
    "tulipgraph memory list --demos",
    "tulipgraph memory import calls.jsonl --library math",
    "tulipgraph memory import homework",
  ],
  commands: {
    list: {
      about: "Count past calls, requests and verdicts by library",
      options: { "--demos": "list the demonstrations instead, oldest first" },
      examples: ["tulipgraph memory list --library math"],
      run: listMemory,
    },
    label: {
      about:
        "Judge the stored calls that have no verdict: a model some of them, a classifier trained on these (`train judge`) the rest",
      options: {
        "--by <judge>": { text: "who judges", choices: ["model", "classifier"], usual: "model" },
        "--model <provider:name>": "the model that judges",
        "--limit <n>": { text: "at most this many calls", read: toCount },
      },
      examples: [
        "tulipgraph memory label --library office --model openai:gpt-4.1-mini --limit 1000",
        "tulipgraph memory label --library office --by classifier",
      ],
      run: labelCalls,
    },
    import: {
      about:
        "Import past calls or demonstrations from a file, or demonstrations from the last run of a thread. Unusable lines are reported and skipped; a run must have solved its request",
      args: {
        "<file or thread>":
          "JSONL file of past calls (query, tool, args, result, helpful) or demonstrations (task, calls; optionally answer and level), or the id of a thread",
      },
      examples: ["tulipgraph memory import calls.jsonl --library math"],
      run: (from: string, options: MemoryOptions) =>
        existsSync(from) ? importMemory(from, options) : addDemos(from, options),
    },
    export: {
      about: "Export past calls to a file, one JSON object per line",
      args: { "<file.jsonl>": "JSONL file; overwritten if it exists" },
      options: { "--demos": "export the demonstrations instead" },
      examples: ["tulipgraph memory export calls.jsonl --library math"],
      run: exportMemory,
    },
  },
};

interface MemoryOptions extends CommonOptions {
  /** Demonstrations instead of past calls. */
  demos?: boolean;
}

/**
 * `memory import FILE`
 *
 * @returns the exit code: a file without a usable line counts as wrong usage
 */
async function importMemory(file: string, { library, json }: MemoryOptions): Promise<number> {
  const store = await openWorkspace().experience();
  const from = { file, library, tools: toolIds };
  const imported = await whileWorking(`reading ${file}`, async () =>
    (await holdsDemonstrations(file))
      ? await importLines({ kind: DEMONSTRATION_LINES, store: store.demonstrations, ...from })
      : await importLines({ kind: PAST_CALL_LINES, store, ...from }),
  );
  const { added, known, rejected } = imported;
  for (const line of problemLines(imported)) tell(`${file}:${line}`);
  if (json) printJson(imported);
  else printLine(`${added} added, ${known} known, ${rejected} rejected`);
  return rejected > 0 && added + known === 0 ? EXIT.usage : EXIT.done;
}

/** Whether a file holds demonstrations, whose lines have calls, and not past calls: its first readable line tells. */
async function holdsDemonstrations(file: string): Promise<boolean> {
  for await (const line of readJsonLines(file)) if ("row" in line) return "calls" in line.row;
  return false;
}

/**
 * The tools of a library, as stored if it is: its sources need not exist, nor its tools be embedded. Undefined for
 * libraries that neither exist nor ship, since experience may come before its library.
 */
async function toolIds(library: string): Promise<ReadonlySet<string> | undefined> {
  const { store } = openWorkspace();
  if (!(await libraryNames(store)).includes(library)) return undefined;
  const isStored = await store.describe(library);
  const opened = isStored ? storedLibrary(library) : openLibrary(parseSettings({ library }));
  return new Set((await opened).list().map(({ id }) => id));
}

/** Problems of a file that are printed; the rest are only counted. */
const PROBLEMS_SHOWN = 20;

/** What is wrong with a file, a line for each problem, which begins with the number of the file's line. */
function problemLines(imported: ImportedLines): string[] {
  const shown = imported.problems.slice(0, PROBLEMS_SHOWN);
  const more = imported.rejected - shown.length;
  return [
    ...shown.map(({ line, problem }) => `${line}: ${problem}`),
    ...(more > 0 ? [` ${more} more unusable lines`] : []),
  ];
}

/** `memory export FILE` */
async function exportMemory(file: string, options: MemoryOptions): Promise<void> {
  const { library, demos, json } = options;
  const store = await openWorkspace().experience();
  await requireKnown(options);
  const kind = demos ? DEMONSTRATION_LINES : PAST_CALL_LINES;
  const items = demos ? await store.demonstrations.list({ library }) : store.pastCalls({ library });
  const count = await whileWorking(`writing ${file}`, () => writeLines({ file, kind, items }));
  if (json) printJson(demos ? { file, demonstrations: count } : { file, usages: count });
  else printLine(`${count} ${demos ? "demonstrations" : "calls"} written to ${file}`);
}

/** `memory list` */
async function listMemory(options: MemoryOptions): Promise<void> {
  await requireKnown(options);
  if (options.demos) await listDemonstrations(options);
  else await listCalls(options);
}

async function listDemonstrations({ library, json }: MemoryOptions): Promise<void> {
  const demonstrations = await (
    await openWorkspace().experience()
  ).demonstrations.list({ library });
  if (json) return printJson(demonstrations);
  if (demonstrations.length === 0) tell("there are no demonstrations yet");
  const rows = demonstrations.map(({ library, level, source, calls, task }) => [
    library,
    level,
    source,
    calls.map(({ tool }) => tool).join(" → "),
    oneLine(task),
  ]);
  printTable({ rows, last: "cut" });
}

async function listCalls({ library, json }: MemoryOptions): Promise<void> {
  const store = await openWorkspace().experience();
  const names = library === undefined ? await store.libraries() : [library];
  const stats: (ExperienceStats & { library: string })[] = [];
  for (const name of names)
    stats.push({ library: name, ...(await store.stats({ library: name })) });
  if (json) return printJson(stats);
  if (stats.length === 0) tell("there is no experience yet");
  for (const [index, { library, ...numbers }] of stats.entries()) {
    if (index > 0) printLine("");
    const rows = LABELS.map(([number, label]) => [label, String(numbers[number])]);
    printTable({ rows: [["library", library], ...rows] });
  }
}

const LABELS: readonly [keyof ExperienceStats, string][] = [
  ["usages", "calls"],
  ["queries", "requests"],
  ["tools", "tools"],
  ["helpful", "helpful"],
  ["unhelpful", "unhelpful"],
  ["unjudged", "not judged"],
];

/** @throws UnknownName for a library of which nothing is remembered */
async function requireKnown({ library, demos }: MemoryOptions): Promise<void> {
  const store = await openWorkspace().experience();
  const available = await (demos ? store.demonstrations : store).libraries();
  if (library === undefined || available.includes(library)) return;
  const kind = `library with ${demos ? "demonstrations" : "experience"}`;
  const hint = "import some with: tulipgraph memory import FILE";
  throw new UnknownName({ kind, wanted: library, available, hint });
}

/**
 * `memory import THREAD`
 *
 * @throws InvalidSetting if the thread's last run did not solve its request, made no call, or gave no answer
 */
async function addDemos(id: string, { json }: { json?: boolean }): Promise<void> {
  const thread = await findThread(id, "file or thread");
  if (thread.status !== "solved") {
    throw new InvalidSetting({
      setting: `thread ${id}`,
      problem: `its last run has not solved its request (${thread.status})`,
      hint: "only what went well is worth showing",
    });
  }
  const { values } = await readThread(thread);
  const demonstrations = demonstrationsOfRun({
    state: { ...FRESH_RUN, ...values } as GraphState,
    library: parseSettings(thread.settings).library,
    at: Date.parse(thread.updatedAt),
  });
  if (demonstrations.length === 0) {
    const problem = "its last run made no tool call or gave no answer, so there is nothing to show";
    throw new InvalidSetting({ setting: `thread ${id}`, problem });
  }
  const { added, known } = await (
    await openWorkspace().experience()
  ).demonstrations.add(demonstrations);
  if (json) printJson({ thread: id, added, known });
  else printLine(`${added} added, ${known} known`);
}
