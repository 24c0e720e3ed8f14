import { LibraryFailed, UnknownName } from "../../../common/errors.js";
import { type GivenLabels, type KeptLabels, withLabels } from "./labels.js";
import type { ToolDefinition } from "../../tool.js";
import { type EditNote, isWithoutFile } from "./edits.js";
import { definitionHash } from "./hash.js";
import {
  columnOf,
  deleteRows,
  findTool,
  insertRow,
  type LibraryPlace,
  listToolIds,
  type Origin,
  type ToolRow,
} from "./records.js";
import { type SplitListing, splitByPins, writePins } from "./pins.js";
import {
  addTool,
  beginRevision,
  putOrigin,
  refreshTool,
  removeTool,
  updateTool,
} from "./toolRows.js";
import {
  type EmbeddingCost,
  embedTools,
  type IndexSource,
  withoutVectors,
} from "../vectors/vectors.js";

/** What became of the tools of an origin, by their ids. */
interface ReplacedTools {
  added: string[];
  updated: string[];
  unchanged: string[];
  removed: string[];
  /** Tools that were not stored because their id belongs to another origin. */
  conflicts: { id: string; origin: string }[];
}

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
  const here = place();
  const isFree = ({ id }: ToolDefinition) =>
    (findTool({ ...here, id })?.origin ?? origin) === origin;
  const wanted = { ...here, model: model.name, tools: split(here).accepted };
  const lacking = embed ? withoutVectors(wanted).filter(isFree) : [];
  const cost = await embedTools({ write, model, tools: lacking });
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
 * Makes the tools of one origin exactly the given ones, whose ids must differ. Like everything below, must run in a write
 * transaction.
 */
function replaceTools({
  origin,
  fingerprint,
  tools,
  ...place
}: LibraryPlace & Origin & { tools: readonly ToolDefinition[] }): ReplacedTools {
  putOrigin({ ...place, origin, fingerprint });
  const done: ReplacedTools = { added: [], updated: [], unchanged: [], removed: [], conflicts: [] };
  let moved = false;
  for (const tool of tools) {
    const stored = findTool({ ...place, id: tool.id });
    if (stored === undefined) {
      addTool({ ...place, origin, tool });
      done.added.push(tool.id);
    } else if (stored.origin !== origin) {
      done.conflicts.push({ id: tool.id, origin: stored.origin });
    } else if (stored.hash !== definitionHash(tool)) {
      updateTool({ ...place, tool, stored });
      done.updated.push(tool.id);
    } else {
      moved = refreshTool({ ...place, tool, stored }) || moved;
      done.unchanged.push(tool.id);
    }
  }
  const wanted = new Set(tools.map(({ id }) => id));
  done.removed = idsOfOrigin({ ...place, origin }).filter((id) => !wanted.has(id));
  for (const id of done.removed) removeTool({ ...place, id });
  // Without a fingerprint the origin counts as changed, so it is tried again once the id is free.
  if (done.conflicts.length > 0) putOrigin({ ...place, origin, fingerprint: "" });
  const changes = done.added.length + done.updated.length + done.removed.length;
  if (moved || changes > 0) beginRevision(place);
  return done;
}

/**
 * Removes tools by id, all or none; their history stays, with the note for those that no file stands behind.
 *
 * @throws UnknownName when the library lacks one of them
 */
export function removeTools({
  ids,
  note,
  ...place
}: LibraryPlace & { ids: readonly string[]; note?: EditNote }): void {
  for (const { id, origin } of requireTools({ ...place, ids }))
    removeTool({ ...place, id, note: isWithoutFile(origin) ? note : undefined });
  if (ids.length > 0) beginRevision(place);
}

/** Removes an origin and its tools; returns their ids. */
export function deleteOrigin({ origin, ...place }: LibraryPlace & { origin: string }): string[] {
  const ids = idsOfOrigin({ ...place, origin });
  removeTools({ ...place, ids });
  // Its next listing counts as the first.
  for (const table of ["pins", "withheld", "origins"]) deleteRows(place, table, { origin });
  return ids;
}

/**
 * Labels tools by hand, all or none. Whoever keeps tools in memory reads them anew.
 *
 * @throws UnknownName when the library lacks one of them
 */
export function labelTools({
  ids,
  labels,
  ...place
}: LibraryPlace & { ids: readonly string[]; labels: GivenLabels }): void {
  for (const stored of requireTools({ ...place, ids })) {
    const { id, definition } = stored;
    const kept = JSON.parse(stored.labels ?? "{}") as KeptLabels;
    const { effects } = JSON.parse(definition) as ToolDefinition;
    const now = withLabels(kept, labels, effects);
    deleteRows(place, "labels", { id });
    if (Object.keys(now).length > 0) insertRow(place, "labels", { id, flow: JSON.stringify(now) });
  }
  if (ids.length > 0) beginRevision(place);
}

function requireTools({ ids, ...place }: LibraryPlace & { ids: readonly string[] }): ToolRow[] {
  return ids.map((id) => {
    const stored = findTool({ ...place, id });
    if (stored) return stored;
    throw new UnknownName({ kind: "tool", wanted: id, available: listToolIds(place) });
  });
}

function idsOfOrigin({ origin, ...place }: LibraryPlace & { origin: string }): string[] {
  const statement = "SELECT id FROM tools WHERE library = ? AND origin = ? ORDER BY position";
  return columnOf(place, statement, origin);
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
