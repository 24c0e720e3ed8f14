import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { syncConnected } from "../../../home/connectedSources.js";
import { openWorkspace } from "../../../home/workspace.js";
import { parseSettings } from "../../../state/settings.js";
import type { DataPlace } from "../../../storage/database.js";
import { listOpenApi } from "../../../tools/sources/openapi/listOpenApi.js";
import { readAuth } from "../../../tools/sources/openapi/settings.js";
import { type People, knowingApi } from "../../fakes/knowingServers.js";
import { EMBEDDINGS, importOffice, importWeather } from "../../tools/sources/mcp/support.js";
import { serveUsers } from "./users.js";

/** A server for whoever has a token, with a library of an MCP server and an API that know people. */
export async function serveTeam(place: DataPlace) {
  vi.stubEnv("TULIPGRAPH_KEY", randomBytes(32).toString("base64"));
  vi.stubEnv("SHOP_KEY", "lister-key");
  const people: People = new Map([
    ["ada-secret-1", "ada"],
    ["bob-secret-1", "bob"],
    ["guest-secret-1", "guest"],
  ]);
  const workspace = openWorkspace({ home: place.home, database: place.url });
  const office = await importOffice(workspace, people);
  const shop = await knowingApi(people);
  const document = join(place.home, "shop.json");
  writeFileSync(document, JSON.stringify(shop.document));
  const listing = await listOpenApi({ name: "shop", document });
  const auth = readAuth(["key=$SHOP_KEY"], listing.schemes);
  const own = { document, auth, credentials: "caller", places: [shop.url] };
  await syncConnected({
    store: workspace.store,
    settings: parseSettings({ library: "team", embeddings: EMBEDDINGS }),
    source: { name: "shop", kind: "openapi", settings: own },
    listing,
    embed: false,
  });
  const { journal } = workspace.runtime;
  return { office, shop, people, journal, workspace, ...(await serveUsers(place)) };
}

/** A server for users, with the tools of an MCP server that people log in to. */
export async function serveLogins(place: DataPlace) {
  vi.stubEnv("TULIPGRAPH_KEY", randomBytes(32).toString("base64"));
  const weather = await importWeather(openWorkspace({ home: place.home, database: place.url }));
  return { weather, ...(await serveUsers(place)) };
}
