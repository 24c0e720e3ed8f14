import type { ConnectedSource, SourceListing } from "../connected.js";
import { readServer } from "./readServer.js";
import { settingsOf } from "./settings.js";

/** Asks an MCP server for its tools, without keeping anything. */
export async function listSource({ name, settings }: ConnectedSource): Promise<SourceListing> {
  return (await readServer({ name, settings: settingsOf({ settings }) })).listing;
}
