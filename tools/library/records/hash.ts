import { createHash } from "node:crypto";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import type { ToolDefinition } from "../../tool.js";

/** SHA-256 of a text, in hexadecimal. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Hash of everything that a model or a caller can see of a tool. Its file does not count, so that moving a project
 * makes no new versions.
 */
export function definitionHash(tool: ToolDefinition): string {
  const { file: _file, ...call } = tool.source;
  const seen = SEEN.map((field) => [field, tool[field]] as const);
  return sha256(canonicalJson(Object.fromEntries([...seen, ["call", call]])));
}

const SEEN =
  "name description parameters returns effects cost timeoutMs approval check undo before deed examples flow sends provider providerDescription category".split(
    " ",
  ) as (keyof ToolDefinition)[];

/** JSON with the keys of every object sorted, so that equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isObject(inner) ? sorted(inner) : inner));
}

function sorted(object: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(object);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
