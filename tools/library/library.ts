import type { GivenLabels } from "./records/labels.js";
import type { ToolRecord } from "../tool.js";
import {
  adapterReader,
  type AdapterSummary,
  type NewAdapter,
  removeAdapters,
  saveAdapter,
} from "./adapter/storedAdapters.js";
import {
  deleteOrigin,
  labelTools,
  removeTools,
  syncOrigin,
  type SyncResult,
  type WantedTools,
} from "./records/changes.js";
import { type EditNote, GENERATED_ORIGIN, type ToolEdit } from "./records/edits.js";
import { discardTool, putTool, type ToolRemoval } from "./records/editTools.js";
import { readGroups, type ToolGroups } from "./records/groups.js";
import { indexOpener } from "./vectors/openIndex.js";
import {
  decideWithheld,
  listPins,
  listWithheld,
  type Pin,
  type Verdicts,
  type WithheldTool,
} from "./records/pins.js";
import {
  countTools,
  findTool,
  getTool,
  type LibraryPlace,
  listOrigins,
  listTools,
  ofContent,
  type Origin,
  pickPlacedTools,
  readLibrary,
  toolHistory,
  type ToolVersion,
} from "./records/records.js";
import { wordsOpener } from "./words/openWords.js";
import { type SearchLayer, searchLibrary, type SearchResults } from "./search/search.js";
import type { IndexSource } from "./vectors/vectors.js";
import type { SearchQuestion } from "./search/searchQuestion.js";
import { keeping } from "../../common/bounds.js";

/**
 * A library of tools as readers see it. Its records, their history and their vectors are in SQLite; other processes may
 * change it at any time, and each call sees its present state.
 *
 * Every member but `name` throws LibraryFailed once the store is closed, and UnknownName once the library is deleted.
 */
export interface LibraryView {
  readonly name: string;
  readonly description: string;
  /** Grows by one with each change of the tools. */
  readonly revision: number;
  /** Number of tools. */
  readonly size: number;
  /** All tools, in the order of their registration. */
  list: () => ToolRecord[];
  get: (id: string) => ToolRecord | undefined;
  /** Like `get` for several ids at once; unknown ids are left out. */
  pick: (ids: readonly string[]) => Map<string, ToolRecord>;
  /** The groups of the tools, and what programs call them. */
  groups: () => ToolGroups;
  /** Where the tools come from, sorted by name. */
  origins: () => Origin[];
  /** Whether `put` and `discard` may change an existing tool. */
  isEditable: (id: string) => boolean;
  /** The accepted definitions of connected sources' tools, by origin and id. */
  pins: () => Pin[];
  /** The definitions of connected sources' tools that nobody has accepted yet, by origin and id. */
  withheld: () => WithheldTool[];
  /** All versions that a tool has had, including removals; newest last, empty for an unknown id. */
  history: (id: string) => ToolVersion[];
  /**
   * The best tools for each phrase, by meaning and words (`ranking`), ties in the order of registration. All
   * texts are embedded in one call. The first search after a change of the embedding model also fills the vector store,
   * and embeds tools that have no vector of this model.
   *
   * By meaning alone, hits are the nearest tools by squared L2 distance of unit vectors. If the library has an adapter
   * for the embedding model, the nearest 100 tools (or `topK`, if that is more) below the threshold are put in its
   * order. Distances stay the plain ones, so a search with an adapter abstains exactly when one without it does.
   *
   * @throws InvalidSetting for a `topK` or a threshold that makes no sense
   * @throws ModelFailed when the embedding model fails
   * @throws LibraryFailed when the vector store fails, or its files cannot be written
   */
  search: (question: SearchQuestion) => Promise<SearchResults>;
}

/** A library of tools that is changed; everybody who uses the library sees each change at once. */
export interface LibraryEditor extends LibraryView {
  /**
   * Makes the tools of one origin exactly these: adds new ones, gives changed ones a new version and removes the
   * others, in one transaction after all embedding is done. A tool whose id belongs to another origin is a conflict:
   * it is reported and not stored, and the origin gets an empty fingerprint, so that it is tried again. A tool that
   * comes back continues counting its versions where it stopped.
   *
   * Texts that already have a vector of the library's embedding model are not embedded again.
   *
   * @throws LibraryFailed when two of the tools have the same id
   * @throws ModelFailed when the embedding model fails; the library is then as it was
   */
  sync: (wanted: WantedTools) => Promise<SyncResult>;
  /** Removes an origin with all its tools, for example a file that was deleted. Returns their ids. */
  removeOrigin: (origin: string) => Promise<string[]>;
  /**
   * Removes tools, whatever their version; their history stays. Tools of a file come back when it is synced again.
   * The note is kept in the history of made tools.
   *
   * @throws UnknownName when the library lacks one of them; none is removed then
   */
  remove: (ids: readonly string[], note?: EditNote) => Promise<void>;
  /**
   * Labels tools by hand, for flow rules and as reads or writes: the labels replace what their source says, whatever it
   * says from now on. Only a source that no longer says that a tool reads takes back that label.
   *
   * @throws UnknownName when the library lacks one of them; none is labelled then
   */
  label: (ids: readonly string[], labels: GivenLabels) => Promise<void>;
  /**
   * Adds a made tool, or gives it a new version, at once for everybody who uses the library. If the same edit
   * (by thread and call of its note) was made before, returns the version that it made.
   *
   * @throws EditConflict when the tool is not at the version that the edit is based on
   * @throws LibraryFailed when its id belongs to a tool of another origin
   * @throws ModelFailed when the embedding model fails; the library is then as it was
   */
  put: (edit: ToolEdit) => Promise<ToolRecord>;
  /**
   * Removes a made tool; its history stays. Does nothing if the same edit was made before.
   *
   * @throws EditConflict when it is not at that version
   * @throws LibraryFailed when it is not a made tool
   */
  discard: (removal: ToolRemoval) => Promise<void>;
  /**
   * Accepts withheld definitions, which makes them tools, or rejects them, which keeps them withheld. All or none.
   *
   * @throws UnknownName when one of them is not withheld
   * @throws LibraryFailed when another tool has the id of an accepted one, or when a definition is no longer as seen
   */
  decide: (about: Verdicts) => Promise<void>;
  /** Saves an adapter for the library's embedding model, replacing the previous one. */
  saveAdapter: (adapter: NewAdapter) => Promise<AdapterSummary>;
  /** Removes the adapters for the library's embedding model, and returns how many there were. */
  removeAdapters: () => Promise<number>;
}

/** What searches of a library need; keeps its vector store in memory. */
export function librarySearch(source: IndexSource): SearchLayer {
  return {
    source,
    openIndex: indexOpener(source),
    openWords: wordsOpener(source),
    readAdapter: adapterReader(),
  };
}

/** Makes the handle of a library that exists. */
export function toolLibrary(layer: SearchLayer): LibraryEditor {
  const { source } = layer;
  const { name, place, write } = source;
  const model = source.model.name;
  const tools = ofContent(place, () => toolReader(place));
  return {
    name,
    get description() {
      return readLibrary(place()).description;
    },
    get revision() {
      return readLibrary(place()).revision;
    },
    get size() {
      return countTools(place());
    },
    list: () => listTools(place()),
    get: (id) => getTool({ ...place(), id }),
    pick: (ids) => new Map(tools()(ids).map((tool) => [tool.id, tool])),
    groups: ofContent(place, readGroups),
    origins: () => listOrigins(place()),
    sync: (wanted) => syncOrigin({ source, ...wanted }),
    removeOrigin: (origin) => write((now) => deleteOrigin({ ...now, origin })),
    remove: (ids, note) => write((now) => removeTools({ ...now, ids, note })),
    label: (ids, labels) => write((now) => labelTools({ ...now, ids, labels })),
    put: (edit) => putTool({ source, edit }),
    isEditable: (id) => findTool({ ...place(), id })?.origin === GENERATED_ORIGIN,
    discard: (removal) => discardTool({ source, removal }),
    pins: () => listPins(place()),
    withheld: () => listWithheld(place()),
    decide: (about) => write((now) => decideWithheld({ ...now, name, ...about })),
    history: (id) => toolHistory({ ...place(), id }),
    search: (question) => searchLibrary({ layers: [layer], question }),
    saveAdapter: (adapter) => write((now) => saveAdapter({ ...now, model, adapter })),
    removeAdapters: () => write((now) => removeAdapters({ ...now, model })),
  };
}

const TOOLS_KEPT = 500;

/** Reads tools by their ids, each once. */
function toolReader(place: () => LibraryPlace) {
  return keeping<string, ToolRecord>({
    most: TOOLS_KEPT,
    keyOf: ({ id }) => id,
    read: (ids) => pickPlacedTools({ ...place(), ids }).map(({ record }) => record),
  });
}
