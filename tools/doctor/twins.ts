import { oneLine } from "../../common/errors.js";
import type { Hit } from "../library/nearest.js";
import type { ToolDefinition } from "../tool.js";
import type { Finding } from "./finding.js";
import type { FoundByOwnWords } from "./unfound.js";

/** A search by meaning cannot tell apart tools nearer than this (squared L2 distance of unit vectors). */
const NEAR = 0.05;

/**
 * Finds pairs that take each other's place: each comes first when the other's own words are searched for, or their
 * texts mean the same.
 *
 * @param options.found what the tools' own words find
 * @param options.near the tools nearest to a tool's texts, including itself
 */
export function twinFindings(options: {
  tools: readonly ToolDefinition[];
  found: ReadonlyMap<string, FoundByOwnWords>;
  near: ReadonlyMap<string, readonly Hit[]>;
}): Finding[] {
  const { tools, found, near } = options;
  const same = sameDescriptions(tools);
  const groupOf = new Map(same.flatMap((ids) => ids.map((id) => [id, ids])));
  const pairs = new Map<string, Finding>();
  const add = (one: string, other: string, finding: Pick<Finding, "severity" | "problem">) => {
    const pair = [one, other].toSorted();
    const key = JSON.stringify(pair);
    if (pairs.has(key) || groupOf.get(one)?.includes(other)) return;
    pairs.set(key, { check: "twins", tools: pair, change: CHANGE, ...finding });
  };
  for (const [id, hits] of found) {
    for (const by of ["byDescription", "byName"] as const) {
      for (const other of aheadOf(hits[by], id)) {
        if (!aheadOf(found.get(other)?.[by], other).includes(id)) continue;
        const what = by === "byDescription" ? "description" : "name";
        const problem = `are each found before the other when the other's ${what} is searched for`;
        add(id, other, { severity: "warning", problem });
      }
    }
  }
  for (const [id, hits] of near) {
    const own = hits.find((hit) => hit.id === id)?.distance ?? 0;
    for (const { id: other, distance } of hits) {
      if (other === id || distance > own + NEAR) continue;
      add(id, other, {
        severity: "note",
        problem: `mean nearly the same to a search: ${distance.toFixed(3)} apart, where 0 is the same text`,
      });
    }
  }
  return [...same.map(sameFinding), ...pairs.values()];
}

const CHANGE = "Keep one if they do the same; else let each say first when it is the right one";

/** For each description that several tools share, their ids. */
function sameDescriptions(tools: readonly ToolDefinition[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { id, description } of tools) {
    const text = oneLine(description).toLowerCase();
    if (text === "") continue;
    const group = groups.get(text) ?? [];
    group.push(id);
    groups.set(text, group);
  }
  return [...groups.values()].filter((ids) => ids.length > 1);
}

function sameFinding(tools: readonly string[]): Finding {
  const problem = `${tools.length} tools have the same description, so that only their names tell them apart`;
  return { check: "twins", severity: "warning", tools, problem, change: CHANGE };
}

/** The hits before a tool; all of them if it is not among them. */
function aheadOf(hits: readonly string[] = [], id: string): readonly string[] {
  const rank = hits.indexOf(id);
  return rank === -1 ? hits : hits.slice(0, rank);
}
