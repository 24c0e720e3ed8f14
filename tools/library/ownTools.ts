import { LibraryFailed } from "../../common/errors.js";
import { librarySearch, type LibraryEditor, type LibraryView, toolLibrary } from "./library.js";
import { groupsAsListed } from "./records/groups.js";
import { listTools } from "./records/records.js";
import { type SearchLayer, searchLibrary } from "./search/search.js";
import { openFew } from "./vectors/openIndex.js";
import type { IndexSource } from "./vectors/vectors.js";

/** A library, and what searches of it need. */
export interface BaseLibrary {
  library: LibraryEditor;
  layer: SearchLayer;
}

/** Where the tools that a thread has made are stored. */
interface OwnTools {
  /** Undefined until the thread has made one. */
  find: () => IndexSource | undefined;
  make: () => Promise<IndexSource>;
}

/**
 * A library as a thread sees it: with the tools that the thread has made, which nobody else sees. Edits only change
 * those; everything else is the library's. A tool of the thread hides one with its id that the library has got since.
 */
export function libraryOfThread({
  base: { library: base, layer },
  own: thread,
}: {
  base: BaseLibrary;
  own: OwnTools;
}): LibraryEditor {
  const made = (): LibraryEditor | undefined => {
    const source = thread.find();
    return source && toolLibrary(ownLayer(source));
  };
  /** Where tools are changed: in the library itself unless all of them are the thread's. */
  const ownerOf = (ids: readonly string[]): LibraryEditor => {
    const tools = made();
    return tools && ids.every((id) => tools.get(id)) ? tools : base;
  };
  const list = () => {
    const tools = made()?.list() ?? [];
    const hidden = new Set(tools.map(({ id }) => id));
    return [...base.list().filter(({ id }) => !hidden.has(id)), ...tools];
  };
  const own: Partial<LibraryEditor> = {
    list,
    get: (id) => made()?.get(id) ?? base.get(id),
    pick: (ids) => new Map([...base.pick(ids), ...(made()?.pick(ids) ?? [])]),
    groups: () => (made() ? groupsAsListed({ groups: base.groups(), list }) : base.groups()),
    remove: async (ids, note) => await ownerOf(ids).remove(ids, note),
    label: async (ids, labels) => await ownerOf(ids).label(ids, labels),
    put: async (edit) => {
      const { id } = edit.tool;
      if (!made()?.get(id) && base.get(id)) throw partOfBase(base, id);
      return await toolLibrary(ownLayer(await thread.make())).put(edit);
    },
    isEditable: (id) => made()?.isEditable(id) ?? false,
    discard: async (removal) => {
      const tools = made();
      if (!tools?.get(removal.id) && base.get(removal.id)) throw partOfBase(base, removal.id);
      await tools?.discard(removal);
    },
    history: (id) => {
      const tools = made();
      const isOwn = tools?.get(id) !== undefined || base.get(id) === undefined;
      const history = isOwn ? tools?.history(id) : undefined;
      return history && history.length > 0 ? history : base.history(id);
    },
    search: async (question) => {
      const source = thread.find();
      if (!source) return await base.search(question);
      const { within } = question;
      // A restriction to some tools of the library does not exclude those of the thread.
      const ids = within && [...within, ...listTools(source.place()).map(({ id }) => id)];
      return await searchLibrary({
        layers: [ownLayer(source), layer],
        question: ids ? { ...question, within: ids } : question,
      });
    },
  };
  const revision = { get: () => base.revision + (made()?.revision ?? 0) };
  const size = { get: () => (made() ? list().length : base.size) };
  return Object.assign(Object.create(base, { revision, size }) as LibraryEditor, own);
}

function partOfBase({ name }: LibraryView, id: string): LibraryFailed {
  return new LibraryFailed({
    library: name,
    problem: `"${id}" is a tool of the library itself, which this run uses and does not change`,
    hint: "Use it as it is, or create another tool under another name",
  });
}

/** The few tools of a thread need no vector store. */
function ownLayer(source: IndexSource): SearchLayer {
  return {
    ...librarySearch(source),
    openIndex: async (dimension) => await openFew({ ...source, dimension }),
  };
}
