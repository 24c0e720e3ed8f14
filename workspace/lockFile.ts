import { z } from "zod";
import { InvalidSetting, oneLine, messageOf } from "../common/errors.js";
import { withoutSecrets } from "../common/secrets.js";
import { definitionHash } from "../tools/library/hash.js";
import type { LibraryStore } from "../tools/library/store.js";
import { isConnectedOrigin } from "../tools/sources/connected.js";
import { listSource } from "../tools/sources/listSource.js";
import { openStoredLibrary } from "./libraries.js";
import { parseContext } from "../state/context.js";

/** The form of the lock file, which is written sorted so that it can be compared line by line. */
const lockForm = z.object({
  version: z.literal(1),
  /** By library, origin ("openapi:github") and id of the tool. */
  libraries: z.record(
    z.string(),
    z.record(
      z.string(),
      z.record(z.string(), z.object({ hash: z.string(), accepted: z.string() })),
    ),
  ),
});

/** The accepted definitions of all tools of a home's connected sources. */
export type Lock = z.infer<typeof lockForm>;

type LockedTools = Lock["libraries"][string][string];

/** The lock that fits the libraries of a home as they are now. */
export async function lockOf(store: LibraryStore): Promise<Lock> {
  const libraries: Lock["libraries"] = {};
  for (const name of await store.names()) {
    const library = await openStoredLibrary({ store, context: parseContext({ library: name }) });
    const present = new Set(library.list().map(({ id }) => id));
    for (const { origin, id, hash, at } of library.pins()) {
      if (!present.has(id)) continue;
      const origins = (libraries[name] ??= {});
      (origins[origin] ??= {})[id] = { hash, accepted: at.slice(0, 10) };
    }
  }
  return { version: 1, libraries };
}

/** @throws InvalidSetting for a text that is not a lock */
export function readLock(file: string, text: string): Lock {
  const { data } = lockForm.safeParse(jsonOf(text));
  if (data) return data;
  throw new InvalidSetting({
    setting: `lock ${file}`,
    problem: "it is not a lock file of this version",
    hint: "Write a new one with: tulipgraph tools lock",
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A difference between a lock and a library or source. */
export interface LockDifference {
  library: string;
  origin: string;
  /** Absent if the whole source is concerned. */
  id?: string;
  /** In words. */
  problem: string;
}

/**
 * Compares the libraries of a home with a lock.
 *
 * @param options.live also asks the sources what they offer now
 */
export async function compareLock(options: {
  store: LibraryStore;
  lock: Lock;
  live?: boolean;
}): Promise<LockDifference[]> {
  const { store, lock, live = false } = options;
  const present = await lockOf(store);
  const differences: LockDifference[] = [];
  for (const { library, origin, locked, found } of pairs(lock, present)) {
    const withheld = await withheldIds({ store, library, origin });
    for (const [id, problem] of toolProblems({ locked, found, withheld })) {
      differences.push({ library, origin, id, problem });
    }
    if (!live) continue;
    for (const [id, problem] of await liveProblems({ store, origin, locked })) {
      differences.push({ library, origin, ...(id === "" ? {} : { id }), problem });
    }
  }
  return differences;
}

/** The origins in either, by library. */
function* pairs(lock: Lock, present: Lock) {
  const libraries = new Set([...Object.keys(lock.libraries), ...Object.keys(present.libraries)]);
  for (const library of [...libraries].toSorted()) {
    const [locked = {}, found = {}] = [lock.libraries[library], present.libraries[library]];
    const origins = new Set([...Object.keys(locked), ...Object.keys(found)]);
    for (const origin of [...origins].toSorted()) {
      yield { library, origin, locked: locked[origin] ?? {}, found: found[origin] ?? {} };
    }
  }
}

async function withheldIds(options: {
  store: LibraryStore;
  library: string;
  origin: string;
}): Promise<Set<string>> {
  const { store, library: name, origin } = options;
  if (!(await store.describe(name))) return new Set();
  const library = await openStoredLibrary({ store, context: parseContext({ library: name }) });
  const withheld = library.withheld().filter((each) => each.origin === origin);
  return new Set(withheld.map(({ tool }) => tool.id));
}

function toolProblems(options: {
  locked: LockedTools;
  found: LockedTools;
  withheld: ReadonlySet<string>;
}): [string, string][] {
  const { locked, found, withheld } = options;
  const ids = [...new Set([...Object.keys(locked), ...Object.keys(found)])].toSorted();
  return ids.flatMap((id): [string, string][] => {
    const [wanted, now] = [locked[id], found[id]];
    if (!wanted) return [[id, "is in the library and not in the lock"]];
    if (now) return now.hash === wanted.hash ? [] : [[id, differs(wanted)]];
    return [[id, withheld.has(id) ? "is withheld: it has changed" : "is not in the library"]];
  });
}

function differs({ accepted }: LockedTools[string]): string {
  return `is not as it was accepted on ${accepted}`;
}

/** How a source's present offer differs from the lock; an empty id stands for the whole source. */
async function liveProblems(options: {
  store: LibraryStore;
  origin: string;
  locked: LockedTools;
}): Promise<[string, string][]> {
  const { store, origin, locked } = options;
  const source = await store.sources.get(origin.slice(origin.indexOf(":") + 1));
  if (!source || !isConnectedOrigin(origin)) return [["", "is no source of this home"]];
  try {
    const { tools } = await listSource(source);
    const listed = new Map(tools.map((tool) => [tool.id, definitionHash(tool)]));
    const gone = Object.keys(locked).filter((id) => !listed.has(id));
    return [
      ...[...listed].flatMap(([id, hash]): [string, string][] => {
        const wanted = locked[id];
        if (!wanted) return [[id, "is offered by the source and not in the lock"]];
        return wanted.hash === hash ? [] : [[id, `${differs(wanted)}, says the source`]];
      }),
      ...gone.map((id): [string, string] => [id, "is no longer offered by the source"]),
    ];
  } catch (error) {
    const reason = withoutSecrets(oneLine(messageOf(error)));
    return [["", `cannot be listed (${reason})`]];
  }
}
