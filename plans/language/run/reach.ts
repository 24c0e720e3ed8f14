import type { ProgramTool } from "../progress.js";

/** What a part of the code could do. */
export interface Reach {
  /** Whether it calls a tool that writes. */
  writes: boolean;
  /** Names it reassigns. */
  assigned: ReadonlySet<string>;
  /** Whether the code after it may not be reached, because of `return` or `throw`, … */
  returns: boolean;
  breaks: boolean;
  continues: boolean;
}

interface Known {
  tools: ReadonlyMap<string, ProgramTool>;
  reaches: Map<object, Reach>;
}

/** Cached, because it is asked for the same parts in each iteration while something is pending. */
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

/** A function contains its own `return`, a loop its own `break`. */
function exits(kind: unknown, inner: Reach[]): Pick<Reach, "returns" | "breaks" | "continues"> {
  if (kind === "function") return { returns: false, breaks: false, continues: false };
  const isLoop = kind === "each";
  return {
    returns: kind === "return" || kind === "throw" || inner.some(({ returns }) => returns),
    breaks: !isLoop && (kind === "break" || inner.some(({ breaks }) => breaks)),
    continues: !isLoop && (kind === "continue" || inner.some(({ continues }) => continues)),
  };
}
