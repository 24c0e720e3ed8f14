import type { ToolRecord } from "../tool.js";
import type { ToolLibrary } from "./library.js";
import { groupsAsListed } from "./records/groups.js";
import {
  changedSince,
  lastEntry,
  type LibraryPlace,
  readLibrary,
  toolAsOf,
} from "./records/records.js";

/** When a run first read each library, by its number: the last entry of the tools' histories then. */
export type ReadEntries = Map<number, number>;

/**
 * A library as it was when a run first read it: tools that others add do not appear, and tools that others remove do
 * not disappear. Searches no longer find a removed tool, but a model that was shown one can call it. When the run
 * itself changes the library, it sees everything that has changed until then.
 */
export function libraryAsOf(options: {
  library: ToolLibrary;
  place: () => LibraryPlace;
  entries: ReadEntries;
}): ToolLibrary {
  const { library, place, entries } = options;
  let latest: { content: string; changed: ReadonlyMap<string, ToolRecord | undefined> } | undefined;
  const read = () => {
    const here = place();
    entries.set(here.library, lastEntry(here));
    latest = undefined;
  };
  if (!entries.has(place().library)) read();
  /** Tools that have changed since, as they were; undefined for one that did not exist. */
  const changed = () => {
    const here = place();
    const { content } = readLibrary(here);
    if (latest?.content === content) return latest.changed;
    const entry = entries.get(here.library) ?? lastEntry(here);
    const ids = changedSince({ ...here, entry });
    const before = ids.map((id) => [id, toolAsOf({ ...here, id, entry })] as const);
    latest = { content, changed: new Map(before) };
    return latest.changed;
  };
  const get = (id: string) => (changed().has(id) ? changed().get(id) : library.get(id));
  const edited = <Args extends unknown[], Result>(edit: (...args: Args) => Promise<Result>) => {
    return async (...args: Args): Promise<Result> => {
      const result = await edit(...args);
      read();
      return result;
    };
  };
  const list = () => {
    const before = changed();
    if (before.size === 0) return library.list();
    const stayed = library.list().filter(({ id }) => !before.has(id));
    return [...stayed, ...[...before.values()].filter((tool) => tool !== undefined)];
  };
  // Everything else, such as the description, is read as it is now.
  return Object.create(library, {
    list: { value: list },
    groups: {
      value: () => {
        const groups = library.groups();
        return changed().size === 0 ? groups : groupsAsListed({ groups, list });
      },
    },
    size: { get: () => (changed().size === 0 ? library.size : list().length) },
    get: { value: get },
    pick: {
      value: (ids: readonly string[]) => {
        const picked = library.pick(ids);
        for (const id of ids) {
          if (!changed().has(id)) continue;
          const tool = changed().get(id);
          if (tool) picked.set(id, tool);
          else picked.delete(id);
        }
        return picked;
      },
    },
    search: {
      value: async (question: Parameters<ToolLibrary["search"]>[0]) => {
        const { results, ...found } = await library.search(question);
        return {
          ...found,
          results: results.map((result) => ({
            ...result,
            hits: result.hits.filter(({ id }) => get(id) !== undefined),
          })),
        };
      },
    },
    sync: { value: edited(library.sync) },
    removeOrigin: { value: edited(library.removeOrigin) },
    remove: { value: edited(library.remove) },
    put: { value: edited(library.put) },
    discard: { value: edited(library.discard) },
    decide: { value: edited(library.decide) },
  }) as ToolLibrary;
}
