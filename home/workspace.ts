import { resolve } from "node:path";
import { getConfig } from "@langchain/langgraph";
import type { ExperienceStore } from "../memory/experience.js";
import { type Checkpoints, openCheckpoints } from "../storage/checkpoints/checkpoints.js";
import { CATALOGS } from "../tools/catalogs/index.js";
import type { ConnectionStore } from "../tools/sources/credentials/store.js";
import type { LibraryStore } from "../tools/library/store.js";
import type { LibraryEditor, LibraryView } from "../tools/library/library.js";
import {
  type ToolRuntime,
  type ToolRuntimeSettings,
  createToolRuntime,
} from "../tools/calls/runtime.js";
import {
  BEHALF_KEY,
  type Behalf,
  isConnectedOrigin,
  LOCAL,
  type SourceAway,
} from "../tools/remote.js";
import { HOLD_KEY, type ThreadHold } from "../tools/calls/journal/threadHolds.js";
import type { LazyWorld, WorldDefinition } from "../tools/calls/worlds/worlds.js";
import type { DataPlace } from "../storage/database.js";
import { defaultDatabase, defaultHome, openHomes } from "./home.js";
import type { ProblemListener, RunContext } from "./libraries.js";

export { closeWorkspaces, defaultHome } from "./home.js";

/**
 * What graphs work with: tool libraries, the runtime that makes calls, and checkpoints. State only holds names; nodes
 * get the things themselves here.
 */
export interface Workspace {
  /** The folder with all data; with a database, only with caches. */
  home: string;
  place: DataPlace;
  store: LibraryStore;
  runtime: ToolRuntime;
  /**
   * The library of a run, up to date with its sources as the run begins, and including tools made in the run's thread.
   * `onProblems` is told about unusable parts of changed sources. New texts are embedded by the first search that asks
   * for their meaning.
   */
  library: (context: RunContext, onProblems?: ProblemListener) => Promise<LibraryEditor>;
  /** The sources of a run's library that cannot be called now. */
  away: (library: Pick<LibraryView, "origins">) => Promise<SourceAway[]>;
  /** Opened on first use, because a server may bring its own checkpoints. */
  checkpoints: () => Checkpoints;
  experience: () => Promise<ExperienceStore>;
  /** What lets runs act as their owners at sources. */
  connections: () => Promise<ConnectionStore>;
  /**
   * Deletes what a thread has left: checkpoints, calls, worlds and files. Tools that it has made stay.
   *
   * @throws ThreadHeld while a run works on it
   */
  forget: (threadId: string) => Promise<void>;
  close: () => Promise<void>;
}

const DEFAULT_WORLDS: readonly LazyWorld[] = Object.values(CATALOGS).flatMap(
  ({ world = [] }) => world,
);

/** What differs from a workspace as it is by default. */
export interface WorkspaceSettings {
  /** What catalog tools act on, instead of the shipped worlds. */
  worlds?: readonly (WorldDefinition | LazyWorld)[];
  /** What answers calls instead of the tools, such as a recording. */
  invoke?: ToolRuntimeSettings["invoke"];
  /** How long other processes wait for a thread of this one without a sign of life, in milliseconds. */
  leaseMs?: number;
}

/**
 * Opens the workspace of a home. It is opened once: until it is closed, later calls get the same one, whatever their
 * settings.
 *
 * @param options.database `postgres://…`: where the data are, instead of SQLite files in the home; default:
 * TULIPGRAPH_DATABASE_URL if no home is given
 * @example
 * const workspace = openWorkspace({ home: "data" });
 */
export function openWorkspace({
  home,
  database = home === undefined ? defaultDatabase() : undefined,
  ...settings
}: WorkspaceSettings & { home?: string; database?: string } = {}): Workspace {
  const place = { home: resolve(home ?? defaultHome()), url: database };
  const key = placeKey(place);
  const open =
    (openHomes.get(key) as Workspace | undefined) ?? makeWorkspace({ place, ...settings });
  openHomes.set(key, open);
  return open;
}

function placeKey({ home, url = "" }: DataPlace): string {
  return `${home} ${url}`;
}

/** Key of a graph's own workspace in a run's `configurable`. */
export const WORKSPACE_KEY = "__tulipgraph_workspace";

/**
 * The current run's workspace: the one its graph was compiled with, else that of the home.
 *
 * @example
 * const { runtime } = runWorkspace();
 */
export function runWorkspace(): Workspace {
  return workspaceIn((getConfig() as { configurable?: object } | undefined)?.configurable);
}

/** The workspace in a run's `configurable`, else that of the home. */
export function workspaceIn(configurable: { [WORKSPACE_KEY]?: Workspace } = {}): Workspace {
  return configurable[WORKSPACE_KEY] ?? openWorkspace();
}

function makeWorkspace({
  place,
  worlds = DEFAULT_WORLDS,
  invoke,
  leaseMs,
}: WorkspaceSettings & { place: DataPlace }): Workspace {
  const { home } = place;
  const store = lateStore(place);
  const unreached = new Map<string, number>();
  const remotes = async () => {
    const { remoteCaller } = await import("../tools/sources/kinds.js");
    return remoteCaller({
      sources: store.sources,
      connections: await theConnections(),
      onReached: (source, isReached) =>
        void (isReached ? unreached.delete(source) : unreached.set(source, Date.now())),
      onListed: async (listed) => {
        const { updateFromListing } = await import("./connectedSources.js");
        await updateFromListing({ store, ...listed });
      },
    });
  };
  const runtime = createToolRuntime({ ...place, leaseMs, worlds, invoke, remotes });
  const shared = sharedWork<LibraryEditor>();
  const once = onceARun<LibraryEditor>();
  let checkpoints: Checkpoints | undefined;
  let experience: Promise<ExperienceStore> | undefined;
  let connections: Promise<ConnectionStore> | undefined;
  const theCheckpoints = () =>
    (checkpoints ??= openCheckpoints({
      place,
      permit: { key: HOLD_KEY, require: runtime.journal.requireHold },
    }));
  const theConnections = () =>
    (connections ??= import("../tools/sources/credentials/store.js").then(({ openConnections }) =>
      openConnections(place),
    ));
  return {
    home,
    place,
    store,
    runtime,
    library: (context, onProblems) => {
      const key = `${context.library} ${context.embeddings}`;
      const { threadId = "", madeTools } = context;
      // A library shows at any time what it has then.
      return once(`${key} ${madeTools} ${threadId}`, async (isFirst) => {
        const { openLibrary, openStoredLibrary, seenBy } = await import("./libraries.js");
        // A run sees what other machines had imported before it began.
        if (isFirst) store.refresh();
        const opening = { store, settings: context, onProblems, embed: false };
        await shared(key, () => openLibrary(opening));
        const opened = await openStoredLibrary({ store, context });
        return await seenBy(behalfOfRun(), opened, theConnections);
      });
    },
    away: async (library) => {
      if (!library.origins().some(({ origin }) => isConnectedOrigin(origin))) return [];
      const { sourcesAway } = await import("./connectedSources.js");
      const { owner } = behalfOfRun() ?? LOCAL;
      return await sourcesAway({ library, store, connections: theConnections, owner, unreached });
    },
    checkpoints: theCheckpoints,
    experience: () =>
      (experience ??= import("../memory/openExperience.js").then(({ openExperience }) =>
        openExperience(place),
      )),
    connections: theConnections,
    forget: async (threadId) =>
      await holding(runtime, threadId, async () => {
        await theCheckpoints().threads.delete(threadId);
        await runtime.journal.forget([threadId]);
      }),
    close: async () => {
      openHomes.delete(placeKey(place));
      // Running calls may ask the library for tools, so they are ended first.
      await runtime.close();
      await checkpoints?.close();
      await (await experience)?.close();
      await (await connections)?.close();
      await store.close();
    },
  };
}

/** Works on a thread while no other process can. @throws ThreadHeld if another process holds it */
export async function holding<Result>(
  { journal }: Pick<ToolRuntime, "journal">,
  threadId: string,
  work: (hold: ThreadHold) => Promise<Result>,
): Promise<Result> {
  const hold = await journal.hold(threadId);
  try {
    return await work(hold);
  } finally {
    await hold.release();
  }
}

/** The libraries of a home, loaded and opened at their first use: not every run has tools. */
function lateStore(place: DataPlace): LibraryStore {
  let opened: Promise<LibraryStore> | undefined;
  let isClosed = false;
  const open = async () => {
    const { openLibraryStore } = await import("../tools/library/store.js");
    const store = openLibraryStore(place);
    if (isClosed) await store.close();
    return store;
  };
  const store = () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  return {
    names: async () => await (await store()).names(),
    describe: async (name) => await (await store()).describe(name),
    open: async (request) => await (await store()).open(request),
    sources: {
      list: async () => await (await store()).sources.list(),
      get: async (name) => await (await store()).sources.get(name),
      put: async (source) => await (await store()).sources.put(source),
      remove: async (name) => await (await store()).sources.remove(name),
    },
    made: async () => await (await store()).made(),
    promote: async (promotion) => await (await store()).promote(promotion),
    delete: async (name) => await (await store()).delete(name),
    refresh: () => void opened?.then(({ refresh }) => refresh()),
    close: async () => {
      isClosed = true;
      await (await opened)?.close();
    },
  };
}

/** Key of the object in a run's `configurable` that identifies the run. */
export const RUN_KEY = "__tulipgraph_run";

/** Key of whether a person can be asked in the middle of a run, in its `configurable`: only a checkpointer keeps it meanwhile. */
export const ASKS_KEY = "__tulipgraph_asks";

/** Key of what waited for a person when a run was gone on with, in its `configurable`. */
export const SHOWN_KEY = "__tulipgraph_shown";

/**
 * Does work once in each run, and each time outside a run.
 *
 * @returns does it; `isFirst` if the run has not done any yet
 */
function onceARun<Result>() {
  const done = new WeakMap<object, Map<string, Promise<Result>>>();
  return (key: string, work: (isFirst: boolean) => Promise<Result>): Promise<Result> => {
    const config = getConfig() as { configurable?: { [RUN_KEY]?: object } } | undefined;
    const run = config?.configurable?.[RUN_KEY];
    if (!run) return work(false);
    const own = done.get(run) ?? new Map<string, Promise<Result>>();
    done.set(run, own);
    const begun = own.get(key) ?? work(own.size === 0);
    own.set(key, begun);
    begun.catch(() => own.delete(key));
    return begun;
  };
}

function behalfOfRun(): Behalf | undefined {
  const config = getConfig() as { configurable?: { [BEHALF_KEY]?: Behalf } } | undefined;
  return config?.configurable?.[BEHALF_KEY];
}

/** Concurrent runs that need the same source share one read. */
function sharedWork<Result>() {
  const underWay = new Map<string, Promise<Result>>();
  return (key: string, work: () => Promise<Result>): Promise<Result> => {
    const begun = underWay.get(key) ?? work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}
