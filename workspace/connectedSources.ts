import type { Context } from "../state/context.js";
import { openEmbeddings } from "../models/embeddings.js";
import type { SyncResult } from "../tools/library/changes.js";
import type { LibraryStore } from "../tools/library/store.js";
import {
  type ConnectedSource,
  type SourceListing,
  connectedOrigin,
} from "../tools/sources/connected.js";

export type { SourceListing } from "../tools/sources/connected.js";

/** What came of a listing: the ids of its tools, and problems. */
export type ConnectedImport = SyncResult & Pick<SourceListing, "problems">;

/**
 * Makes the tools of a connected source, as it has listed them, those of a library, which is made where there is
 * none, and keeps the source in the home.
 */
export async function syncConnected(options: {
  store: LibraryStore;
  context: Pick<Context, "library" | "embeddings">;
  source: ConnectedSource;
  listing: SourceListing;
  description?: string;
  embed?: boolean;
}): Promise<ConnectedImport> {
  const { store, context, source, listing, description, embed } = options;
  const embeddings = await openEmbeddings(context.embeddings);
  const library = store.open({
    name: context.library,
    description,
    embeddings,
    embeddingModel: embeddings.name,
    create: true,
  });
  store.sources.put(source);
  const done = await library.sync({
    origin: connectedOrigin(source),
    // Nothing but a new listing changes them.
    fingerprint: "listed",
    tools: listing.tools,
    embed,
  });
  return { ...done, problems: listing.problems };
}
