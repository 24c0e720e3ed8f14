import { type BaseMessage, AIMessage, ToolMessage } from "@langchain/core/messages";
import type { CommandForm } from "../command.js";
import { InvalidSetting, UnknownName, oneLine } from "../../common/errors.js";
import { fileNames } from "../../common/fileNames.js";
import { openWorkspace } from "../../home/workspace.js";
import { programCalls } from "../../nodes/programs/followProgram.js";
import { callParts } from "../../nodes/policy/callTexts.js";
import { FRESH_RUN, type GraphState, type ProgramState } from "../../state/state.js";
import { waitingFor } from "../runs/decisions.js";
import { ThreadHeld } from "../../tools/calls/journal/threadHolds.js";
import { toCount } from "../options.js";
import {
  printJson,
  printTable,
  lineText,
  printHanging,
  shorten,
  widthBeside,
  tell,
} from "../printing/print.js";
import { printWaiting } from "../runs/printWaiting.js";
import { findThread, readThread } from "../runs/threads.js";
import { type Write, threadWrites } from "../../nodes/programs/undoTarget.js";

/** `tulipgraph threads [THREAD]`, `tulipgraph threads prune` */
export const THREADS: CommandForm = {
  about: "List conversations, newest first. With an id, show one, with the program of its last run",
  args: {
    "[thread]": "the thread's id",
    "[file]": "a file in its results, to write to standard output",
  },
  examples: [
    "tulipgraph threads",
    "tulipgraph threads homework --json",
    "tulipgraph threads homework received/3f….png > picture.png",
  ],
  run: (id: string | undefined, file: string | undefined, { json }: { json?: boolean }) => {
    if (id === undefined) return listThreads(json);
    return file === undefined ? showThread(id, json) : writeFile(id, file);
  },
  commands: {
    prune: {
      about: "Delete conversations with their checkpoints and calls. Running ones are kept",
      options: {
        "--days <n>": { text: "delete those unchanged for this many days", read: toCount },
        "--keep <n>": { text: "keep this many of the newest", read: toCount },
      },
      examples: ["tulipgraph threads prune --days 30 --keep 500"],
      run: pruneThreads,
    },
  },
};

const DAY_MS = 86_400_000;

async function pruneThreads({ days, keep }: { days?: number; keep?: number }): Promise<void> {
  if (days === undefined && keep === undefined) {
    throw new InvalidSetting({
      setting: "threads prune",
      problem: "says neither how old nor how many",
      hint: "Add --days N, --keep N or both",
    });
  }
  const workspace = openWorkspace();
  const threads = await workspace.checkpoints().threads.list();
  const before = days === undefined ? 0 : Date.now() - days * DAY_MS;
  const isOld = (updatedAt: string) => Date.parse(updatedAt) < before;
  const old = threads.filter(({ updatedAt }, at) => at >= (keep ?? Infinity) || isOld(updatedAt));
  let deleted = 0;
  for (const { id } of old) {
    try {
      await workspace.forget(id);
      deleted += 1;
    } catch (error) {
      if (!(error instanceof ThreadHeld)) throw error;
    }
  }
  tell(`${deleted} threads deleted, ${threads.length - deleted} kept`);
}

const INDENT = "  ";

async function listThreads(json?: boolean): Promise<void> {
  const threads = await openWorkspace().checkpoints().threads.list();
  if (json) return printJson(threads);
  if (threads.length === 0) tell("there are no threads yet");
  for (const { id, graph, status, updatedAt, request } of threads) {
    const minute = `${updatedAt.slice(0, 16)}Z`;
    printHanging({ text: [id, minute, status, graph].join(INDENT) });
    const width = widthBeside(INDENT.length);
    printHanging({ label: INDENT, text: shorten({ text: oneLine(request), width }) });
  }
}

async function showThread(id: string, json?: boolean): Promise<void> {
  const thread = await findThread(id);
  const snapshot = await readThread(thread);
  const state = snapshot.values as Partial<GraphState>;
  const { messages = [], calls = [], program } = state;
  const waiting = waitingFor(snapshot);
  const changes = await threadWrites(openWorkspace(), thread);
  if (json) {
    const { next } = snapshot;
    const { code, left } = program ?? {};
    const plain = messages.map(plainMessage);
    return printJson({ ...thread, messages: plain, calls, code, left, next, waiting, changes });
  }
  printTable({ rows: messages.map((message) => [speaker(message), said(message)]) });
  if (program && !waiting) printProgram(program, { ...FRESH_RUN, ...state } as GraphState);
  printChanges(changes);
  if (waiting) printWaiting(id, waiting);
}

/** The writes by which `undo --step` and `undo --run` name them. */
function printChanges(changes: readonly Write[]): void {
  for (const { number, run, isUndone, isUnknown, ...call } of changes) {
    const about = [
      `run ${run}`,
      ...(isUnknown ? ["not known whether it was made"] : []),
      ...(isUndone ? ["taken back"] : []),
    ];
    printHanging({
      label: `change ${number}  `,
      text: `${lineText(callParts(call))} · ${about.join(" · ")}`,
    });
  }
}

async function writeFile(id: string, wanted: string): Promise<void> {
  const { journal } = openWorkspace().runtime;
  const [file] = await journal.files(id, [wanted]);
  if (!file) {
    const results = (await journal.calls(id)).map(({ resultJson = "" }) => resultJson);
    // A call by hand has no conversation.
    if (results.length === 0) await findThread(id);
    throw new UnknownName({ kind: "file", wanted, available: fileNames(results.join("\n")) });
  }
  process.stdout.write(file.data);
}

function printProgram(program: ProgramState, state: GraphState): void {
  const lines = program.code.trimEnd().split("\n");
  printTable({ rows: lines.map((line, at) => [String(at + 1).padStart(3), line]) });
  for (const call of programCalls(program, state).values())
    printHanging({ label: "calls ", text: lineText(callParts(call)) });
}

function plainMessage(message: BaseMessage) {
  const { type: role, text } = message;
  const calls = AIMessage.isInstance(message)
    ? (message.tool_calls ?? []).map(({ name, args }) => ({ name, args }))
    : [];
  return { role, text, ...(calls.length > 0 ? { calls } : {}) };
}

const SPEAKERS: Record<string, string> = { human: "you", ai: "agent" };

function speaker(message: BaseMessage): string {
  if (ToolMessage.isInstance(message)) return message.name ?? "tool";
  return SPEAKERS[message.type] ?? message.type;
}

function said(message: BaseMessage): string {
  const { text, calls = [] } = plainMessage(message);
  const made = calls.map(({ name, args }) => `${name}(${JSON.stringify(args)})`);
  return [text, ...made].filter(Boolean).join("\n");
}
