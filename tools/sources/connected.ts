import { CONNECTED_KINDS, type ConnectedKind, type ConnectedSource } from "../remote.js";
import type { SourceReading } from "../tool.js";
import { requireExtra } from "../../common/extras.js";
import type { ConnectionStore } from "./credentials/store.js";

/** What a source may be called. Its tools' ids start with the name and a dot. */
export const SOURCE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The origin of a source's tools in libraries: "mcp:files". */
export function connectedOrigin({ kind, name }: Pick<ConnectedSource, "kind" | "name">): string {
  return `${kind}:${name}`;
}

/** Whether the tools of an origin come from a connected source. */
export function isConnectedOrigin(origin: string): boolean {
  return CONNECTED_KINDS.some((kind) => origin.startsWith(`${kind}:`));
}

/**
 * Whose credentials a source takes. `shared`: those of the home, for everybody · `caller`: each owner's own · `passthrough`:
 * the token with which its owner came to a server.
 */
export const CREDENTIALS = ["shared", "caller", "passthrough"] as const;

/** The part of a source's settings that says whose credentials it takes. */
export interface TakenCredentials {
  /** @default "shared" */
  credentials?: (typeof CREDENTIALS)[number];
  /** Of `passthrough`: whose tokens, and for whom they must be. */
  issuer?: string;
  audience?: string;
}

/** Whose credentials a source takes, as its settings say. */
export function credentialsOf({ settings }: Pick<ConnectedSource, "settings">) {
  return CREDENTIALS.find((each) => each === settings["credentials"]) ?? "shared";
}

/** What a person has to give to a source that takes each owner's own credentials. */
export interface WantedCredentials {
  /** Values for variables, or a login with OAuth. */
  way: "key" | "login";
  /** The variables. */
  fields: string[];
  /** Where credentials may be sent: origins of addresses, or the command of a program. */
  places: string[];
}

/** What differs between the kinds. */
interface Kind {
  list: (source: ConnectedSource, stores: ListingStores) => Promise<SourceReading>;
  wanted: (source: ConnectedSource) => Promise<WantedCredentials>;
}

/** What a listing may need of a home. */
interface ListingStores {
  /** With the login that the home shares. */
  connections?: ConnectionStore;
}

const KINDS: Record<ConnectedKind, Kind> = {
  mcp: {
    async list({ name, settings }, { connections }) {
      requireExtra("mcp");
      const { readServer } = await import("./mcp/listing.js");
      const { settingsOf } = await import("./mcp/settings.js");
      return (await readServer({ name, settings: settingsOf({ settings }), connections })).listing;
    },
    async wanted(source) {
      const { mcpPlace, ownVariables } = await import("./mcp/settings.js");
      const fields = ownVariables(source);
      return { way: fields.length > 0 ? "key" : "login", fields, places: [mcpPlace(source)] };
    },
  },
  openapi: {
    async list({ name, settings }) {
      const { listOpenApi } = await import("./openapi/listOpenApi.js");
      const { openApiSettings } = await import("./openapi/settings.js");
      const { tools, problems } = await listOpenApi({ name, ...openApiSettings(name, settings) });
      return { tools, problems };
    },
    async wanted({ name, settings }) {
      const { openApiSettings, variablesIn } = await import("./openapi/settings.js");
      const { auth, places = [] } = openApiSettings(name, settings);
      return { way: "key", fields: variablesIn(auth), places };
    },
  },
};

/**
 * Asks a connected source what it offers now, with the credentials of the home; stores nothing.
 *
 * @throws what went wrong, in one line
 */
export async function listSource(
  source: ConnectedSource,
  stores: ListingStores = {},
): Promise<SourceReading> {
  return await KINDS[source.kind].list(source, stores);
}

/** What a source wants of each person whose own credentials it takes. */
export async function wantedFrom(source: ConnectedSource): Promise<WantedCredentials> {
  return await KINDS[source.kind].wanted(source);
}
