import type { Statement } from "./program.js";

/** Names of reassigned variables anywhere, including in functions with statements. */
export function assignedIn(body: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(body, (_key, part: unknown) => {
    const { kind, name } = (part ?? {}) as { kind?: unknown; name?: unknown };
    if (kind === "assign" && typeof name === "string") names.add(name);
    return part;
  });
  return names;
}
