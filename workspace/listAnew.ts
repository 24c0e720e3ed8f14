import { parseContext } from "../state/context.js";
import type { LibraryStore } from "../tools/library/store.js";
import { type ConnectedListing, connectedOrigin } from "../tools/sources/connected.js";
import { openEmbeddings } from "../models/embeddings.js";
import { syncConnected } from "./connectedSources.js";

/** Brings all libraries that hold the tools of a source up to date with what it has just listed; nothing is embedded. */
export async function listAnew(options: ConnectedListing & { store: LibraryStore }): Promise<void> {
  const { store, source, listing } = options;
  const origin = connectedOrigin(source);
  await store.sources.put(source);
  for (const name of await store.names()) {
    const context = parseContext({ library: name });
    const embeddings = await openEmbeddings(context.embeddings);
    const library = await store.open({ name, embeddings, embeddingModel: embeddings.name });
    if (!library.origins().some((each) => each.origin === origin)) continue;
    await syncConnected({ store, context, source, listing, embed: false });
  }
}
