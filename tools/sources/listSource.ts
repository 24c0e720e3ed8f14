import { requireExtra } from "../../common/extras.js";
import type { ConnectedKind, ConnectedSource, SourceListing } from "./connected.js";

type Lister = (source: ConnectedSource) => Promise<SourceListing>;

const LISTERS: Record<ConnectedKind, Lister> = {
  async mcp({ name, settings }) {
    requireExtra("mcp");
    const { readServer } = await import("./mcp/readServer.js");
    const { settingsOf } = await import("./mcp/settings.js");
    return (await readServer({ name, settings: settingsOf({ settings }) })).listing;
  },
  async openapi({ name, settings }) {
    const { listOpenApi } = await import("./openapi/listOpenApi.js");
    const { openApiSettings } = await import("./openapi/settings.js");
    const { tools, problems } = await listOpenApi({ name, ...openApiSettings(name, settings) });
    return { tools, problems };
  },
};

/**
 * Asks a connected source what it offers now; stores nothing.
 *
 * @throws what went wrong, in one line
 */
export async function listSource(source: ConnectedSource): Promise<SourceListing> {
  return await LISTERS[source.kind](source);
}
