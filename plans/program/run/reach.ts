import type { ProgramTool } from "../progress.js";

/** What a part of a program could do, as it stands in the code. */
export interface Reach {
  /** Whether it calls a tool that writes. */
  writes: boolean;
  /** Names that it gives another value. */
  assigned: ReadonlySet<string>;
  /** Whether what stands behind it may not be come to, since it may be left by `return` or `throw`, … */
  returns: boolean;
  breaks: boolean;
  continues: boolean;
}

interface Known {
  tools: ReadonlyMap<string, ProgramTool>;
  reaches: Map<object, Reach>;
}

/** Only asked where something is pending; then for the same parts in each turn. */
export function reachOf(part: object, known: Known): Reach {
  const before = known.reaches.get(part);
  if (before) return before;
  const reach = read(part, known);
  known.reaches.set(part, reach);
  return reach;
}

function read(part: object, known: Known): Reach {
  const inner = Object.values(part)
    .filter((next): next is object => typeof next === "object" && next !== null)
    .map((next) => reachOf(next, known));
  const kind = "kind" in part ? part.kind : undefined;
  const own = Object.hasOwn(part, "name") && "name" in part ? String(part.name) : "";
  return {
    writes:
      (kind === "tool" && known.tools.get(own)?.effects !== "read") ||
      inner.some(({ writes }) => writes),
    assigned: new Set([
      ...(kind === "assign" ? [own] : []),
      ...inner.flatMap(({ assigned }) => [...assigned]),
    ]),
    ...exits(kind, inner),
  };
}

/** A function is left by its own `return`, a loop ended by its own `break`. */
function exits(kind: unknown, inner: Reach[]): Pick<Reach, "returns" | "breaks" | "continues"> {
  if (kind === "function") return { returns: false, breaks: false, continues: false };
  const isLoop = kind === "each";
  return {
    returns: kind === "return" || kind === "throw" || inner.some(({ returns }) => returns),
    breaks: !isLoop && (kind === "break" || inner.some(({ breaks }) => breaks)),
    continues: !isLoop && (kind === "continue" || inner.some(({ continues }) => continues)),
  };
}
