import { closeSync, openSync, readSync } from "node:fs";
import { InvalidSetting, UnknownName, oneLine } from "../../common/errors.js";
import type {
  Demonstration,
  DemonstrationStore,
} from "../../memory/demonstrations/demonstration.js";
import {
  exportDemonstrations,
  importDemonstrations,
} from "../../memory/demonstrations/demonstrationFile.js";
import { demonstrationsOfRun } from "../../memory/demonstrations/ofRun.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { FRESH_RUN, type GraphState } from "../../state/state.js";
import type { Thread } from "../../storage/checkpoints.js";
import { type MemoryOptions, reportImport, toolIds } from "./memory.js";
import { whileWorking } from "../printing/longWork.js";
import { printJson, printTable } from "../printing/print.js";
import { findThread, readThread } from "../runs/threads.js";

/** Bytes of a file in which its first readable line is looked for. */
const FIRST_BYTES = 1_000_000;

/** Whether a file holds demonstrations, whose lines have calls, and not past calls. */
export function holdsDemonstrations(file: string): boolean {
  const lines = beginningOf(file).split("\n");
  return lines.map(recordIn).find((record) => record !== undefined)?.["calls"] !== undefined;
}

/** Empty for a file that cannot be read: whoever imports it says why. */
function beginningOf(file: string): string {
  try {
    const handle = openSync(file, "r");
    const bytes = Buffer.alloc(FIRST_BYTES);
    const length = readSync(handle, bytes);
    closeSync(handle);
    return bytes.toString("utf8", 0, length);
  } catch {
    return "";
  }
}

function recordIn(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    // The import reports the line.
    return undefined;
  }
}

/**
 * `memory import FILE`
 *
 * @returns the exit code: a file without a usable line counts as wrong usage
 */
export async function importDemos(file: string, options: MemoryOptions): Promise<number> {
  const { library, json } = options;
  const store = openWorkspace().experience().demonstrations;
  const imported = await whileWorking(`reading ${file}`, async () =>
    importDemonstrations({ store, file, library, tools: toolIds() }),
  );
  return reportImport({ file, imported, json });
}

/** `memory export --demos FILE` */
export async function exportDemos(file: string, options: MemoryOptions): Promise<void> {
  const { library, json } = options;
  const store = openWorkspace().experience().demonstrations;
  await requireDemonstrated(store, library);
  const demonstrations = await exportDemonstrations({ store, file, library });
  if (json) printJson({ file, demonstrations });
  else process.stdout.write(`${demonstrations} demonstrations written to ${file}\n`);
}

/** `memory list --demos` */
export async function listDemos(options: MemoryOptions): Promise<void> {
  const { library, json } = options;
  const store = openWorkspace().experience().demonstrations;
  await requireDemonstrated(store, library);
  const demonstrations = await store.list({ library });
  if (json) return printJson(demonstrations);
  if (demonstrations.length === 0) process.stderr.write("there are no demonstrations yet\n");
  const rows = demonstrations.map(({ library, level, source, calls, task }) => [
    library,
    level,
    source,
    calls.map(({ tool }) => tool).join(" → "),
    oneLine(task),
  ]);
  printTable({ rows, last: "cut" });
}

/**
 * `memory import THREAD`
 *
 * @throws InvalidSetting if the thread's last run did not solve its request, made no call, or gave no answer
 */
export async function addDemos(id: string, { json }: { json?: boolean }): Promise<void> {
  const thread = await findThread(id, "file or thread");
  if (thread.status !== "solved") {
    throw new InvalidSetting({
      setting: `thread ${id}`,
      problem: `its last run has not solved its request (${thread.status})`,
      hint: "only what went well is worth showing",
    });
  }
  const demonstrations = await demonstrationsOfThread(thread);
  if (demonstrations.length === 0) {
    const problem = "its last run made no tool call or gave no answer, so there is nothing to show";
    throw new InvalidSetting({ setting: `thread ${id}`, problem });
  }
  const { added, known } = await openWorkspace().experience().demonstrations.add(demonstrations);
  if (json) printJson({ thread: id, added, known });
  else process.stdout.write(`${added} added, ${known} known\n`);
}

/** The demonstrations that the last run of a thread yields; it must have solved its request. */
export async function demonstrationsOfThread(thread: Thread): Promise<Demonstration[]> {
  const snapshot = await readThread(thread);
  const state = { ...FRESH_RUN, ...snapshot.values } as GraphState;
  const { library } = parseSettings(thread.settings);
  return demonstrationsOfRun({ state, library, at: Date.parse(thread.updatedAt) });
}

/** @throws UnknownName for a library without demonstrations */
async function requireDemonstrated(
  store: Pick<DemonstrationStore, "libraries">,
  library: string | undefined,
): Promise<void> {
  const available = await store.libraries();
  if (library === undefined || available.includes(library)) return;
  const hint = "add some with: tulipgraph memory import FILE";
  throw new UnknownName({ kind: "library with demonstrations", wanted: library, available, hint });
}
