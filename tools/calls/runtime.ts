import type { DataPlace } from "../../storage/database.js";
import type { CallEngine, EngineSettings } from "./engine/callEngine.js";
import { type Journal, openJournal } from "./journal/journal.js";
import { type Worlds, openWorlds } from "./worlds/worlds.js";

/** Settings of a runtime, including the place of its journal. */
export interface ToolRuntimeSettings extends DataPlace, EngineSettings {
  /** How long other processes wait for this one without a sign of life, in milliseconds. */
  leaseMs?: number;
}

/** Runs calls of tools, each at most once. */
export interface ToolRuntime extends CallEngine {
  journal: Journal;
  worlds: Worlds;
  /** Ends all running calls and closes the journal. */
  close(): Promise<void>;
}

/** Opens the journal; the engine is loaded for the first call. */
export function createToolRuntime(settings: ToolRuntimeSettings): ToolRuntime {
  const { home, url, leaseMs } = settings;
  const journal = openJournal({ home, url }, { leaseMs });
  const worlds = openWorlds(settings.worlds ?? [], journal);
  let loading: Promise<CallEngine> | undefined;
  const engine = () =>
    (loading ??= import("./engine/callEngine.js").then(({ openEngine }) =>
      openEngine(settings, journal, worlds),
    ));
  return {
    journal,
    worlds,
    runCalls: async (request) => (await engine()).runCalls(request),
    tryOut: async (request) => (await engine()).tryOut(request),
    async close() {
      await (await loading)?.close();
      await journal.close();
    },
  };
}
