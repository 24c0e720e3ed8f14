import type { SourceReading } from "../tool.js";
import { requireExtra } from "../../common/extras.js";

/** The kinds of sources whose tools are called over a protocol. */
const CONNECTED_KINDS = ["mcp", "openapi"] as const;
export type ConnectedKind = (typeof CONNECTED_KINDS)[number];

/**
 * A source whose tools are called over a protocol, as a home stores it: an MCP server or an OpenAPI document. Any
 * number of libraries can have its tools.
 */
export interface ConnectedSource {
  /** Unique in the home; the first part of its tools' ids ("files.read_file"). */
  name: string;
  kind: ConnectedKind;
  /**
   * How to reach it, as plain data of its kind. Never a secret: environment variables are named ("$TOKEN") and read
   * when needed.
   */
  settings: Record<string, unknown>;
  /** About the last listing, if the kind stores anything: when it was made, how long it is valid. */
  listed?: Record<string, unknown>;
}

/** A listing, and its source as it is to be stored. */
export interface ConnectedListing {
  source: ConnectedSource;
  listing: SourceReading;
}

/** The connected sources of a home. */
export interface SourceRegistry {
  list: () => Promise<ConnectedSource[]>;
  get: (name: string) => Promise<ConnectedSource | undefined>;
  /** Adds a source, or replaces the one with its name. */
  put: (source: ConnectedSource) => Promise<void>;
  remove: (name: string) => Promise<void>;
}

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

type Lister = (source: ConnectedSource) => Promise<SourceReading>;

const LISTERS: Record<ConnectedKind, Lister> = {
  async mcp({ name, settings }) {
    requireExtra("mcp");
    const { readServer } = await import("./mcp/listing.js");
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
export async function listSource(source: ConnectedSource): Promise<SourceReading> {
  return await LISTERS[source.kind](source);
}
