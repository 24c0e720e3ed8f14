import type { Statement } from "./program.js";

/** Names of the variables that are set anew, wherever that stands: functions can hold statements, too. */
export function assignedIn(body: readonly Statement[]): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(body, (_key, part: unknown) => {
    const { kind, name } = (part ?? {}) as { kind?: unknown; name?: unknown };
    if (kind === "assign" && typeof name === "string") names.add(name);
    return part;
  });
  return names;
}
