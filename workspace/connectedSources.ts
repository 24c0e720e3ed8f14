import { openEmbeddings } from "../models/embeddings.js";
import type { Context } from "../state/context.js";
import { type Finding, worstFirst } from "../tools/doctor/finding.js";
import { sourceFindings } from "../tools/doctor/sourceFindings.js";
import type { SyncResult } from "../tools/library/changes.js";
import { LISTED } from "../tools/library/pins.js";
import type { LibraryStore } from "../tools/library/store.js";
import {
  type ConnectedSource,
  type SourceListing,
  connectedOrigin,
} from "../tools/sources/connected.js";
import type { SourceProblem } from "../tools/tool.js";

export type { SourceListing } from "../tools/sources/connected.js";

/**
 * What came of a listing: the ids of its tools, those withheld among them, problems, and what a person should look at
 * in the definitions that are new.
 */
export type ConnectedImport = SyncResult &
  Pick<SourceListing, "problems"> & { withheld: string[]; findings: Finding[] };

/**
 * Makes the tools of a connected source, as it has listed them, those of a library, which is made where there is
 * none, and keeps the source in the home. The first listing counts as accepted; of later ones, tools that have changed
 * or are new are withheld until a person accepts them (`tools review`).
 *
 * @param options.trust accepts everything as it is listed now
 */
export async function syncConnected(options: {
  store: LibraryStore;
  context: Pick<Context, "library" | "embeddings">;
  source: ConnectedSource;
  listing: SourceListing;
  description?: string;
  embed?: boolean;
  trust?: boolean;
}): Promise<ConnectedImport> {
  const { store, context, source, listing, description, embed, trust = false } = options;
  const embeddings = await openEmbeddings(context.embeddings);
  const library = await store.open({
    name: context.library,
    description,
    embeddings,
    embeddingModel: embeddings.name,
    create: true,
  });
  await store.sources.put(source);
  const origin = connectedOrigin(source);
  const { tools, problems } = listing;
  const pinned = { trust };
  const done = await library.sync({ origin, fingerprint: LISTED, tools, embed, pinned });
  const { withheld = [], conflicts } = done;
  const changed = new Set([...done.added, ...done.updated, ...withheld]);
  const fresh = tools.filter(({ id }) => changed.has(id));
  const others = library.list().filter((tool) => tool.source.file !== origin);
  return {
    ...done,
    withheld,
    problems: [...problems, ...conflicts.map((taken) => takenId(origin, taken))],
    findings: worstFirst(sourceFindings({ tools: fresh, others })),
  };
}

function takenId(file: string, { id, origin }: { id: string; origin: string }): SourceProblem {
  const problem = `a tool "${id}" of ${origin} is in the library already, and this one is left out`;
  return { file, line: 1, exportName: id, problem };
}
