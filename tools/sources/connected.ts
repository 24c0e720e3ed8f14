import {
  CONNECTED_KINDS,
  type ConnectedListing,
  type ConnectedSource,
  type SourceRegistry,
} from "../remote.js";
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

/** What a home gives to whatever lists a source or calls its tools. */
export interface SourceStores {
  sources: SourceRegistry;
  /** Told what a source offers now, whenever a call has listed it again. */
  onListed?: (listed: ConnectedListing) => Promise<void>;
  /** People's own credentials; if absent, nobody has any. */
  connections?: ConnectionStore;
}
