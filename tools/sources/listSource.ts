import type { ConnectedKind, ConnectedSource, SourceListing } from "./connected.js";

type Lister = (source: ConnectedSource) => Promise<SourceListing>;

const LISTERS: Record<ConnectedKind, () => Promise<Lister>> = {
  mcp: async () => (await import("./mcp/listSource.js")).listSource,
  openapi: async () => (await import("./openapi/listSource.js")).listSource,
};

/**
 * Asks a connected source what it offers now, without keeping anything.
 *
 * @throws what went wrong, in one line
 */
export async function listSource(source: ConnectedSource): Promise<SourceListing> {
  const list = await LISTERS[source.kind]();
  return await list(source);
}
