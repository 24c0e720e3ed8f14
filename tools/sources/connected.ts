import type { SourceProblem, ToolDefinition } from "../tool.js";

/** The kinds of sources whose tools are called over a protocol. */
export const CONNECTED_KINDS = ["mcp", "openapi"] as const;
export type ConnectedKind = (typeof CONNECTED_KINDS)[number];

/**
 * A source whose tools are called over a protocol, as a home knows it: an MCP server or an OpenAPI document. Any
 * number of libraries can hold its tools.
 */
export interface ConnectedSource {
  /** Unique in the home; the first part of its tools' ids ("files.read_file"). */
  name: string;
  kind: ConnectedKind;
  /**
   * How it is reached, as plain data of its kind. Never a secret: values of the environment are named ("$TOKEN"),
   * and read when they are needed.
   */
  settings: Record<string, unknown>;
  /** What was read of it last, where its kind keeps something: when, for how long it holds. */
  listed?: Record<string, unknown>;
}

/** What a connected source says that it offers, as tools, and what of it cannot be one. */
export interface SourceListing {
  tools: ToolDefinition[];
  problems: SourceProblem[];
}

/** A listing with its source, as it is to be kept. */
export interface ConnectedListing {
  source: ConnectedSource;
  listing: SourceListing;
}

/** The connected sources of a home. */
export interface SourceRegistry {
  /** Sorted by name. */
  list: () => Promise<ConnectedSource[]>;
  get: (name: string) => Promise<ConnectedSource | undefined>;
  /** Adds a source, or replaces the one of its name. */
  put: (source: ConnectedSource) => Promise<void>;
  remove: (name: string) => Promise<void>;
}

/** What a source may be called: tools' ids begin with it, and a point ends it. */
export const SOURCE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The origin under which libraries hold a source's tools: "mcp:files". */
export function connectedOrigin({ kind, name }: Pick<ConnectedSource, "kind" | "name">): string {
  return `${kind}:${name}`;
}

/** Whether the tools of an origin come from a connected source. */
export function isConnectedOrigin(origin: string): boolean {
  return CONNECTED_KINDS.some((kind) => origin.startsWith(`${kind}:`));
}
