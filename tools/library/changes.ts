import { LibraryFailed, UnknownName } from "../../common/errors.js";
import type { ToolFlow } from "../flow/labels.js";
import type { ToolDefinition } from "../tool.js";
import type { EditNote } from "./edits.js";
import type { IndexSource } from "./openIndex.js";
import { findTool, type LibraryPlace, listToolIds, type Origin } from "./records.js";
import { deleteOrigin, removeTools, type ReplacedTools, replaceTools } from "./replaceTools.js";
import { labelTool } from "./toolRows.js";
import { type EmbeddingCost, embeddedTexts, embedTools, textHash } from "./vectors.js";

/** What the tools of one origin shall be. */
export interface WantedTools extends Origin {
  tools: readonly ToolDefinition[];
  /**
   * Whether texts that have no vector yet are embedded at once, rather than at the first search.
   *
   * @default true
   */
  embed?: boolean;
}

/** What a sync did: tools by id, and the texts and tokens (estimated) that were embedded for it. */
export type SyncResult = ReplacedTools & EmbeddingCost;

/** Nothing was embedded. */
const NO_COST: EmbeddingCost = { embedded: 0, embeddingTokens: 0 };

/** Embeds what is new in the tools of one origin, then puts them in the place of its old ones. */
export async function syncOrigin({
  source,
  origin,
  fingerprint,
  tools,
  embed = true,
}: WantedTools & { source: IndexSource }): Promise<SyncResult> {
  const { name, place, model } = source;
  requireDifferentIds({ library: name, origin, tools });
  const cost = embed
    ? await embedTools({ place, model, tools: unembedded({ source, origin, tools }) })
    : NO_COST;
  const now = place();
  const replaced = now.database
    .transaction(() => replaceTools({ ...now, origin, fingerprint, tools }))
    .immediate();
  return { ...replaced, ...cost };
}

/** Removes an origin and all its tools; returns their ids. */
export function removeOrigin({ origin, ...place }: LibraryPlace & { origin: string }): string[] {
  return place.database.transaction(() => deleteOrigin({ ...place, origin })).immediate();
}

/**
 * Removes tools by id, all or none.
 *
 * @param options.note kept in the history of those that a model has written
 * @throws UnknownName when the library lacks one of them
 */
export function removeById({
  ids,
  note,
  ...place
}: LibraryPlace & { ids: readonly string[]; note?: EditNote }): void {
  place.database
    .transaction(() => {
      requireTools({ ...place, ids });
      removeTools({ ...place, ids, note });
    })
    .immediate();
}

/**
 * Labels tools by hand, all or none.
 *
 * @throws UnknownName when the library lacks one of them
 */
export function labelById({
  ids,
  flow,
  ...place
}: LibraryPlace & { ids: readonly string[]; flow: ToolFlow | undefined }): void {
  place.database
    .transaction(() => {
      requireTools({ ...place, ids });
      for (const id of ids) labelTool({ ...place, id, flow });
    })
    .immediate();
}

function requireTools({ ids, ...place }: LibraryPlace & { ids: readonly string[] }): void {
  const unknown = ids.find((id) => !findTool({ ...place, id }));
  if (unknown === undefined) return;
  throw new UnknownName({ kind: "tool", wanted: unknown, available: listToolIds(place) });
}

/** Tools whose text has no vector yet, without those that another origin keeps out anyway. */
function unembedded({
  source,
  origin,
  tools,
}: {
  source: IndexSource;
  origin: string;
  tools: readonly ToolDefinition[];
}): ToolDefinition[] {
  const place = source.place();
  const embedded = embeddedTexts({ ...place, model: source.model.name });
  return tools.filter((tool) => {
    if (embedded.has(textHash(tool))) return false;
    const stored = findTool({ ...place, id: tool.id });
    return stored === undefined || stored.origin === origin;
  });
}

function requireDifferentIds({
  library,
  origin,
  tools,
}: {
  library: string;
  origin: string;
  tools: readonly ToolDefinition[];
}): void {
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
