import type { ConnectedSource, SourceListing } from "../connected.js";
import { listOpenApi } from "./listOpenApi.js";
import { openApiSettings } from "./settings.js";

/** Reads the document of a source again, without keeping anything. */
export async function listSource({ name, settings }: ConnectedSource): Promise<SourceListing> {
  const { tools, problems } = await listOpenApi({ name, ...openApiSettings(name, settings) });
  return { tools, problems };
}
