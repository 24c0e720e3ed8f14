import { LibraryFailed, UnknownName } from "../../../common/errors.js";
import type { GivenLabels } from "./labels.js";
import type { ToolDefinition } from "../../tool.js";
import type { EditNote } from "./edits.js";
import { findTool, type LibraryPlace, listToolIds, type Origin } from "./records.js";
import { removeTools, type ReplacedTools, replaceTools } from "./replaceTools.js";
import {
  acceptWithheld,
  listWithheld,
  rejectWithheld,
  type SplitListing,
  splitByPins,
  writePins,
} from "./pins.js";
import { beginRevision, labelTool } from "./toolRows.js";
import {
  type EmbeddingCost,
  embeddedTexts,
  embedTools,
  type IndexSource,
  textHash,
} from "../vectors/vectors.js";

/** The tools that an origin should have. */
export interface WantedTools extends Origin {
  tools: readonly ToolDefinition[];
  /**
   * Whether texts that have no vector yet are embedded at once rather than at the first search.
   *
   * @default true
   */
  embed?: boolean;
  /**
   * Compares the tools with the definitions that were accepted first: those that differ or are new are withheld.
   * With `trust`, everything is accepted as it is now.
   *
   * @default nothing is withheld
   */
  pinned?: { trust: boolean };
}

/** What a sync did: tools by id, and how many texts and tokens (estimated) were embedded. */
export type SyncResult = ReplacedTools &
  EmbeddingCost & {
    /** Ids of tools that were not accepted; only for a sync with `pinned`. */
    withheld?: string[];
  };

const NO_COST: EmbeddingCost = { embedded: 0, embeddingTokens: 0 };

/** Embeds the new texts of one origin, then replaces its tools. */
export async function syncOrigin(
  options: WantedTools & { source: IndexSource },
): Promise<SyncResult> {
  const { source, origin, fingerprint, tools, embed = true, pinned } = options;
  const { name, place, write, model } = source;
  requireDifferentIds(name, origin, tools);
  const split = (at: LibraryPlace): SplitListing =>
    pinned
      ? splitByPins({ ...at, origin, tools, ...pinned })
      : { accepted: [...tools], withheld: [] };
  const { accepted: wanted } = split(place());
  const cost = embed
    ? await embedTools({ write, model, tools: unembedded(source, origin, wanted) })
    : NO_COST;
  const done = await write((now) => {
    // Split again, because something may have been accepted while the texts were embedded.
    const { accepted, withheld } = split(now);
    const replaced = replaceTools({ ...now, origin, fingerprint, tools: accepted });
    if (!pinned) return replaced;
    writePins({ ...now, origin, accepted, withheld });
    const ids = withheld.map(({ id }) => id);
    const removed = replaced.removed.filter((id) => !ids.includes(id));
    return { ...replaced, removed, withheld: ids };
  });
  return { ...done, ...cost };
}

/**
 * Removes tools by id, all or none. Like everything below, must run in a write transaction.
 *
 * @param options.note kept in the history of tools that have no file
 * @throws UnknownName when the library lacks one of them
 */
export function removeById({
  ids,
  note,
  ...place
}: LibraryPlace & { ids: readonly string[]; note?: EditNote }): void {
  requireTools({ ...place, ids });
  removeTools({ ...place, ids, note });
}

/**
 * Labels tools by hand, all or none. Whoever keeps tools in memory reads them anew.
 *
 * @throws UnknownName when the library lacks one of them
 */
export function labelById({
  ids,
  labels,
  ...place
}: LibraryPlace & { ids: readonly string[]; labels: GivenLabels }): void {
  requireTools({ ...place, ids });
  for (const id of ids) {
    const stored = findTool({ ...place, id });
    if (stored) labelTool({ ...place, stored, labels });
  }
  if (ids.length > 0) beginRevision(place);
}

/** What a person decides about withheld definitions, by their tools' ids. */
export interface Verdicts {
  accept: readonly string[];
  reject: readonly string[];
  /** The hashes of the definitions as the person saw them; without it, whatever is withheld is decided. */
  seen?: ReadonlyMap<string, string>;
}

/**
 * Accepts or rejects withheld definitions, all or none.
 *
 * @throws UnknownName when one of them is not withheld
 * @throws LibraryFailed when another tool has the id of an accepted one, or when a definition is no longer as seen
 */
export function decideWithheld(options: LibraryPlace & { name: string } & Verdicts): void {
  const { name, accept, reject, seen, ...place } = options;
  const waiting = new Map(listWithheld(place).map(({ tool, hash }) => [tool.id, hash]));
  const asked = [...accept, ...reject];
  const unknown = asked.find((id) => !waiting.has(id));
  if (unknown !== undefined) {
    throw new UnknownName({
      kind: "withheld tool",
      wanted: unknown,
      available: [...waiting.keys()],
    });
  }
  const changed = asked.find((id) => seen && seen.get(id) !== waiting.get(id));
  if (changed !== undefined) {
    const problem = `the definition of "${changed}" has changed since it was shown`;
    throw new LibraryFailed({ library: name, problem, hint: "Look at it again" });
  }
  const taken = acceptWithheld({ ...place, ids: accept });
  if (taken !== undefined) throw takenId({ ...place, name, id: taken });
  rejectWithheld({ ...place, ids: reject });
}

function takenId({ name, id, ...place }: LibraryPlace & { name: string; id: string }) {
  const origin = findTool({ ...place, id })?.origin;
  return new LibraryFailed({
    library: name,
    problem: `it has a tool "${id}" already, from ${origin}`,
    hint: "Remove that one first",
  });
}

function requireTools({ ids, ...place }: LibraryPlace & { ids: readonly string[] }): void {
  const unknown = ids.find((id) => !findTool({ ...place, id }));
  if (unknown === undefined) return;
  throw new UnknownName({ kind: "tool", wanted: unknown, available: listToolIds(place) });
}

/** Tools whose text has no vector yet, except those whose id belongs to another origin. */
function unembedded(
  source: IndexSource,
  origin: string,
  tools: readonly ToolDefinition[],
): ToolDefinition[] {
  const place = source.place();
  const embedded = embeddedTexts({ ...place, model: source.model.name });
  return tools.filter((tool) => {
    if (embedded.has(textHash(tool))) return false;
    const stored = findTool({ ...place, id: tool.id });
    return stored === undefined || stored.origin === origin;
  });
}

function requireDifferentIds(
  library: string,
  origin: string,
  tools: readonly ToolDefinition[],
): void {
  const seen = new Set<string>();
  for (const { id } of tools) {
    if (seen.has(id)) {
      const problem = `"${id}" comes twice from ${origin}`;
      throw new LibraryFailed({
        library,
        problem,
        hint: "Give each of its tools a name of its own",
      });
    }
    seen.add(id);
  }
}
