import { join, resolve } from "node:path";
import type { Context } from "../state/context.js";
import { type Checkpoints, openCheckpoints } from "../storage/checkpoints.js";
import { type LibraryStore, openLibraryStore } from "../tools/library/store.js";
import type { ToolLibrary } from "../tools/library/library.js";
import { type ToolRuntime, createToolRuntime } from "../tools/runtime/runtime.js";
import { openLibrary } from "./libraries.js";

/**
 * What graphs work with, opened by name: tool libraries, the runtime that executes calls, and
 * checkpoints. State holds names only; nodes come here for the things themselves.
 */
export interface Resources {
  /** The folder with all data. */
  home: string;
  store: LibraryStore;
  runtime: ToolRuntime;
  /** The library of a run, its tools as their sources have them now. */
  library: (context: Pick<Context, "library" | "embeddings">) => Promise<ToolLibrary>;
  /** Opened at the first use: whoever serves the graphs may bring checkpoints of their own. */
  checkpoints: () => Checkpoints;
  close: () => Promise<void>;
}

const openHomes = new Map<string, Resources>();

/** The folder with all data: TULIPGRAPH_HOME, else `.tulipgraph` where the program was started. */
export function defaultHome(): string {
  return resolve(process.env["TULIPGRAPH_HOME"] ?? join(process.cwd(), ".tulipgraph"));
}

/** Opens the resources of a home, once. */
export function openResources({ home = defaultHome() }: { home?: string } = {}): Resources {
  const open = openHomes.get(home) ?? makeResources(home);
  openHomes.set(home, open);
  return open;
}

/** Closes all that was opened. */
export async function closeResources(): Promise<void> {
  await Promise.all([...openHomes.values()].map(({ close }) => close()));
}

function makeResources(home: string): Resources {
  const store = openLibraryStore({ home });
  const runtime = createToolRuntime({ home });
  let checkpoints: Checkpoints | undefined;
  return {
    home,
    store,
    runtime,
    library: (context) => openLibrary({ store, context }),
    checkpoints: () => (checkpoints ??= openCheckpoints({ home })),
    close: async () => {
      openHomes.delete(home);
      checkpoints?.close();
      store.close();
      await runtime.close();
    },
  };
}
