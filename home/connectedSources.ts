import { type Settings, parseSettings } from "../state/settings.js";
import { type Finding, worstFirst } from "../tools/library/checks/finding.js";
import { sourceFindings } from "../tools/library/checks/sourceFindings.js";
import { isUnvouched } from "../tools/library/records/effects.js";
import type { SyncResult } from "../tools/library/records/changes.js";
import { LISTED } from "../tools/library/records/pins.js";
import type { LibraryEditor, LibraryView } from "../tools/library/library.js";
import type { LibraryStore } from "../tools/library/store.js";
import type { ConnectionStore } from "../tools/sources/credentials/store.js";
import {
  connectedOrigin,
  type ConnectedListing,
  type ConnectedSource,
  credentialsOf,
  type SourceAway,
} from "../tools/remote.js";
import type { SourceReading } from "../tools/tool.js";
import { openNamed } from "./libraries.js";

/**
 * The outcome of importing a listing: the ids of its tools, including withheld ones, problems, and findings about new
 * definitions that a person should look at.
 */
export type ConnectedImport = SyncResult &
  Pick<SourceReading, "problems"> & {
    withheld: string[];
    findings: Finding[];
    /** The tools that count as writes although the source says that they only read. */
    unvouched: string[];
    /** Those that count as reads from now on, because the source is trusted (`trustHints`). */
    vouched: string[];
  };

/**
 * Imports the tools that a connected source has listed into a library, which is created if missing, and stores the
 * source in the home. The first listing counts as accepted; new and changed tools of later ones are withheld until a
 * person accepts them (`tools review`).
 *
 * @param options.trust accepts the whole listing
 * @param options.trustHints vouches for what the source says of its tools' effects
 */
export async function syncConnected(options: {
  store: LibraryStore;
  settings: Pick<Settings, "library" | "embeddings">;
  source: ConnectedSource;
  listing: SourceReading;
  description?: string;
  embed?: boolean;
  trust?: boolean;
  trustHints?: boolean;
}): Promise<ConnectedImport> {
  const { store, settings, source, listing, description, embed, trust = false } = options;
  const library = await openNamed({ store, settings, description, create: true });
  await store.sources.put(source);
  const origin = connectedOrigin(source);
  const { tools, problems } = listing;
  const pinned = { trust };
  const done = await library.sync({ origin, fingerprint: LISTED, tools, embed, pinned });
  const { withheld = [], conflicts } = done;
  const taken = conflicts.map(({ id, origin: other }) => ({
    file: origin,
    line: 1,
    exportName: id,
    problem: `left out, because the library already has a tool "${id}" from ${other}`,
  }));
  const changed = new Set([...done.added, ...done.updated, ...withheld]);
  const fresh = tools.filter(({ id }) => changed.has(id));
  const present = library.list();
  const others = present.filter((tool) => tool.source.file !== origin);
  const hinted = present.filter((tool) => tool.source.file === origin && isUnvouched(tool));
  const ids = hinted.map(({ id }) => id);
  const { trustHints = false } = options;
  if (trustHints && ids.length > 0) await library.label(ids, { effects: "read" });
  return {
    ...done,
    withheld,
    unvouched: trustHints ? [] : ids,
    vouched: trustHints ? ids : [],
    problems: [...problems, ...taken],
    findings: worstFirst(sourceFindings({ tools: fresh, others })),
  };
}

/** Imports a source's listing into every library that has tools of the source. New texts are not embedded yet. */
export async function updateFromListing(options: ConnectedListing & { store: LibraryStore }) {
  const { store, source, listing } = options;
  const origin = connectedOrigin(source);
  await store.sources.put(source);
  for (const name of await store.names()) {
    const settings = parseSettings({ library: name });
    const library = await openNamed({ store, settings });
    if (!library.origins().some((each) => each.origin === origin)) continue;
    await syncConnected({ store, settings, source, listing, embed: false });
  }
}

/**
 * The connected sources with tools in some libraries.
 *
 * @param seen the library as somebody sees it; by default whole
 */
export async function sourcesIn(
  store: LibraryStore,
  libraries: readonly string[],
  seen: (library: LibraryEditor) => Promise<LibraryView> = async (library) => library,
) {
  const origins = new Set<string>();
  for (const name of libraries) {
    const library = await openNamed({ store, settings: parseSettings({ library: name }) });
    for (const { origin } of (await seen(library)).origins()) origins.add(origin);
  }
  return (await store.sources.list()).filter((source) => origins.has(connectedOrigin(source)));
}

/** Milliseconds for which a source that could not be reached counts as down: it may be back. */
const DOWN_MS = 120_000;

/**
 * The sources of a library that cannot be called now, although the library has their tools.
 *
 * @param options.owner who would call them
 * @param options.unreached when sources were last called in vain, by name
 */
export async function sourcesAway(options: {
  library: Pick<LibraryView, "origins">;
  store: LibraryStore;
  connections: () => Promise<ConnectionStore>;
  owner: string;
  unreached: ReadonlyMap<string, number>;
}): Promise<SourceAway[]> {
  const { library, store, connections, owner, unreached } = options;
  const origins = new Set(library.origins().map(({ origin }) => origin));
  const sources = await store.sources.list();
  const own = sources.filter((source) => origins.has(connectedOrigin(source)));
  const isPersonal = own.some((source) => credentialsOf(source) === "caller");
  const made = isPersonal ? await (await connections()).list(owner) : [];
  return own.flatMap((source): SourceAway[] => {
    const { name } = source;
    if (Date.now() - (unreached.get(name) ?? 0) < DOWN_MS) return [{ name, why: "down" }];
    const isMade = made.some((one) => one.source === name && !one.isRefused);
    return credentialsOf(source) !== "caller" || isMade ? [] : [{ name, why: "unconnected" }];
  });
}
