import type { ToolFlow } from "../flow/labels.js";
import type { ToolRecord } from "../tool.js";
import {
  adapterReader,
  type AdapterSummary,
  type NewAdapter,
  removeAdapters,
  saveAdapter,
} from "./adapter/storedAdapters.js";
import {
  decideWithheld,
  labelById,
  removeById,
  syncOrigin,
  type SyncResult,
  type WantedTools,
} from "./changes.js";
import { type EditNote, GENERATED_ORIGIN, type ToolEdit } from "./edits.js";
import { discardTool, putTool, type ToolRemoval } from "./editTools.js";
import { indexOpener, type IndexSource } from "./openIndex.js";
import { listPins, listWithheld, type Pin, type WithheldTool } from "./pins.js";
import { deleteOrigin } from "./replaceTools.js";
import { toolPicker } from "./toolPicker.js";
import {
  countTools,
  findTool,
  getTool,
  listOrigins,
  listTools,
  type Origin,
  readLibrary,
  toolHistory,
  type ToolVersion,
} from "./records.js";
import { everydayMeasure } from "./misses.js";
import { wordsOpener } from "./openWords.js";
import {
  type SearchLayer,
  searchLibrary,
  type SearchQuestion,
  type SearchResults,
} from "./search.js";
import type { SearchWeights } from "./searchWeights.js";
import {
  type NewWeights,
  removeWeights,
  saveWeights,
  searchWeightsOf,
  type WeightsSummary,
} from "./storedWeights.js";

/**
 * A library of tools. Its records, their history and their vectors lie in SQLite; other processes may
 * change it at any time, and each call sees what is there then.
 *
 * Every member but `name` throws LibraryFailed once the store is closed, and UnknownName once the
 * library has been deleted.
 */
export interface ToolLibrary {
  readonly name: string;
  readonly description: string;
  /** Grows by one with each change of the tools. */
  readonly revision: number;
  /** Number of tools. */
  readonly size: number;
  /** All tools, in the order of their registration. */
  list: () => ToolRecord[];
  get: (id: string) => ToolRecord | undefined;
  /** As `get`, for several at once; those that there are. */
  pick: (ids: readonly string[]) => Map<string, ToolRecord>;
  /** Where the tools come from, in the order of the names. */
  origins: () => Origin[];
  /**
   * Makes the tools of one origin be exactly these: adds new ones, gives changed ones a new version and
   * removes the others, in one transaction after all embedding is done. A tool whose id belongs to
   * another origin is a conflict: reported, not stored, and the origin is kept with an empty
   * fingerprint, so that it is tried again. A tool that comes back goes on counting its
   * versions where it stopped.
   *
   * Texts that already have a vector of the library's embedding model are not embedded again.
   *
   * @throws LibraryFailed when two of the tools have the same id
   * @throws ModelFailed when the embedding model fails; the library is then as it was
   */
  sync: (wanted: WantedTools) => Promise<SyncResult>;
  /** Removes an origin with all its tools, for example a file that is no more. Returns their ids. */
  removeOrigin: (origin: string) => Promise<string[]>;
  /**
   * Removes tools, whatever their version; their history stays. Those of a file come back when it is
   * synced again. The note is kept in the history of generated tools.
   *
   * @throws UnknownName when the library lacks one of them; none is removed then
   */
  remove: (ids: readonly string[], note?: EditNote) => Promise<void>;
  /**
   * Labels tools for flow rules by hand: the labels hold in the place of those of their source, whatever it says
   * from now on. Without any, those of the source hold again.
   *
   * @throws UnknownName when the library lacks one of them; none is labelled then
   */
  label: (ids: readonly string[], flow: ToolFlow | undefined) => Promise<void>;
  /**
   * Adds a generated tool, or gives it a new version, at once for everybody who uses the library. Asked
   * again for the same edit (thread and call of its note), it gives the version that was made then.
   *
   * @throws EditConflict when the tool is not at the version that the edit is based on; LibraryFailed when
   * its id belongs to a tool of another origin
   * @throws ModelFailed when the embedding model fails; the library is then as it was
   */
  put: (edit: ToolEdit) => Promise<ToolRecord>;
  /** Whether `put` and `discard` may change a tool that there is. */
  isEditable: (id: string) => boolean;
  /**
   * Removes a generated tool; its history stays. Asked again for the same edit, it does nothing.
   *
   * @throws EditConflict when it is not at that version; LibraryFailed when it is no generated tool
   */
  discard: (removal: ToolRemoval) => Promise<void>;
  /** The definitions of connected sources' tools that were accepted, by origin and id. */
  pins: () => Pin[];
  /** The definitions of connected sources' tools that nobody has accepted yet, by origin and id. */
  withheld: () => WithheldTool[];
  /**
   * Makes withheld definitions tools, or says no to them: then they stay withheld.
   *
   * @throws UnknownName when one of them is not withheld; LibraryFailed when another tool has the id of an accepted
   * one; none is decided about then
   */
  decide: (about: { accept: readonly string[]; reject: readonly string[] }) => Promise<void>;
  /** All versions that a tool has had, removals among them; newest last, empty for an unknown id. */
  history: (id: string) => ToolVersion[];
  /**
   * The best tools for each phrase, by meaning and words (`ranking`), ties in the order of registration. All
   * texts are embedded in one call. The first search after a change of the embedding model also makes the index,
   * and embeds tools that have no vector of this model. Up to 20,000 tools the nearest are exactly those; of more,
   * a few of those far down may be missed.
   *
   * By meaning alone, hits are the nearest tools by squared L2 distance of unit vectors. Where the library has an
   * adapter of the embedding model, the nearest tools below the threshold, 100 or `topK` if that is more, are put
   * in its order. Distances stay the plain ones, so that a search with an adapter abstains where one without it
   * does.
   *
   * @throws InvalidSetting for a `topK` or a threshold that makes no sense
   * @throws ModelFailed when the embedding model fails
   * @throws LibraryFailed when FAISS cannot be loaded or the index cannot be written
   */
  search: (question: SearchQuestion) => Promise<SearchResults>;
  /** Saves an adapter of the library's embedding model, in the place of the one before. */
  saveAdapter: (adapter: NewAdapter) => Promise<AdapterSummary>;
  /** Removes the adapters of the library's embedding model; gives how many there were. */
  removeAdapters: () => Promise<number>;
  /** What searches with the library's embedding model weigh by: as learned for it, or as usual. */
  readonly weights: SearchWeights;
  /** Saves what searches with the library's embedding model weigh by from now on. */
  saveWeights: (learned: NewWeights) => Promise<WeightsSummary>;
  /** Searches weigh as usual again; false where they did anyway. */
  removeWeights: () => Promise<boolean>;
}

/** What searches of a library need, which keeps its index in memory. */
export function librarySearch(source: IndexSource): SearchLayer {
  const openIndex = indexOpener(source);
  const openWords = wordsOpener(source);
  return {
    source,
    openIndex,
    openWords,
    readAdapter: adapterReader(),
    measureEveryday: everydayMeasure(),
  };
}

/** Makes the handle of a library that exists. */
export function toolLibrary(layer: SearchLayer): ToolLibrary {
  const { source } = layer;
  const { name, place, write } = source;
  const model = source.model.name;
  const picked = toolPicker();
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
    pick: (ids) => picked({ ...place(), ids }),
    origins: () => listOrigins(place()),
    sync: (wanted) => syncOrigin({ source, ...wanted }),
    removeOrigin: (origin) => write((now) => deleteOrigin({ ...now, origin })),
    remove: (ids, note) => write((now) => removeById({ ...now, ids, note })),
    label: (ids, flow) => write((now) => labelById({ ...now, ids, flow })),
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
    get weights() {
      return searchWeightsOf({ ...place(), model });
    },
    saveWeights: (learned) => write((now) => saveWeights({ ...now, model, learned })),
    removeWeights: () => write((now) => removeWeights({ ...now, model })),
  };
}
