import type { ConnectedSource, SourceListing } from "../connected.js";

/** Asks an MCP server for its tools, without keeping anything. */
export async function listSource({ name }: ConnectedSource): Promise<SourceListing> {
  throw new Error(`${name} cannot be listed yet`);
}
