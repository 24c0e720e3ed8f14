import { openWorkspace } from "../../home/workspace.js";
import type { LibraryEditor } from "../../tools/library/library.js";
import { canonicalJson, definitionHash, sha256 } from "../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { renamedParameters } from "./recording.js";
import { readRecordings } from "./recordingFile.js";

/** Recorded runs, and what they are replayed with. */
export interface ReplayedTasks {
  /** As `eval from-threads` writes it. */
  recordings: string;
  /** A library as it is now; if absent, the tools as they were. */
  library?: string;
  /** Reads that were never recorded are made for real. */
  live: boolean;
}

/**
 * Makes a benchmark of recorded runs.
 *
 * @throws InvalidSetting for a file that does not exist
 * @throws UnknownName for a library that does not exist
 * @throws BenchmarkFailed with file and line of the first problem
 */
export async function recordedBenchmark({
  recordings,
  library: name,
  live,
  embeddings,
}: ReplayedTasks & { embeddings: string }): Promise<Benchmark> {
  const { library, tasks, hash } = await readRecordings(recordings);
  const tools =
    name === undefined
      ? library.tools
      : toolsOf(await openWorkspace().library({ library: name, embeddings }), live);
  return {
    name: name ?? library.name,
    source: recordings,
    hash: sha256(canonicalJson([hash, live, tools.map((tool) => [tool.id, definitionHash(tool)])])),
    tools,
    tasks,
    argumentRule: "equal",
    ...(name === undefined ? {} : { library: name }),
    replay: { live, renamed: renamedParameters(library.tools, tools), about: library.description },
  };
}

/** The tools of a library, with the definitions that wait for a review in place of those that they change. */
function toolsOf(library: LibraryEditor, live: boolean): ToolDefinition[] {
  const waiting = live ? [] : waitingIn(library);
  const ids = new Set(waiting.map(({ id }) => id));
  return [...library.list().filter(({ id }) => !ids.has(id)), ...waiting];
}

function waitingIn(library: LibraryEditor): ToolDefinition[] {
  return library.withheld().flatMap(({ tool, rejected }) => (rejected ? [] : tool));
}

/**
 * Accepts the definitions that wait for a review in the copy of a library that a replay uses: it shows what would change
 * with them, and calls none of them.
 */
export async function acceptForReplay(library: LibraryEditor): Promise<void> {
  await library.decide({ accept: waitingIn(library).map(({ id }) => id), reject: [] });
}
