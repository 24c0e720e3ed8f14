import { UnknownName } from "../../../common/errors.js";
import type { WorkWorld } from "./state.js";

/** The words and numbers of a text in lower case, without those that say nothing. */
export function tokensOf(text: string): string[] {
  const tokens = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return tokens.filter((token) => !FILLERS.has(token));
}

/**
 * The id of what a name means: an equal name first, then one that contains all words, then the one that
 * shares the most words with it; customers before parts, users, sprints and work items. A number is never
 * taken for another one: "Sprint 99" is not "Sprint 9".
 *
 * @throws UnknownName when no name shares a word with it
 */
export function nearestByName(world: WorkWorld, query: string): string {
  const all = namesOf(world);
  const wanted = tokensOf(query);
  let best: { id: string; score: number } = { id: "", score: 0 };
  for (const { id, name } of all) {
    const score = scoreOf({ wanted, query, name });
    if (score > best.score) best = { id, score };
  }
  if (best.score > 0) return best.id;
  const { customers, parts, users, sprints } = world.tables;
  const available = [customers, parts, users, sprints].flatMap((table) =>
    Object.values<{ name: string }>(table).map(({ name }) => name),
  );
  throw new UnknownName({ kind: "object", wanted: query, available });
}

function namesOf({ tables }: WorkWorld): { id: string; name: string }[] {
  const { customers, parts, users, sprints, work_items } = tables;
  return [
    ...[customers, parts, users, sprints].flatMap((table) =>
      Object.values<{ id: string; name: string }>(table).map(({ id, name }) => ({ id, name })),
    ),
    ...Object.values(work_items).map(({ id, title }) => ({ id, name: title })),
  ];
}

/** 3 for an equal name, between 1 and 2 where all words are in it, less where only some are. */
function scoreOf(options: { wanted: readonly string[]; query: string; name: string }): number {
  const { wanted, query, name } = options;
  if (name.toLowerCase() === query.trim().toLowerCase()) return 3;
  const there = new Set(tokensOf(name));
  if (wanted.some((token) => /\d/.test(token) && !there.has(token))) return 0;
  const shared = new Set(wanted.filter((token) => there.has(token))).size;
  if (shared === 0) return 0;
  const share = shared / new Set([...there, ...wanted]).size;
  return wanted.every((token) => there.has(token)) ? 1 + share : share;
}

const FILLERS = new Set(
  "a an and are as at be by for from in is it of on or that the this to with".split(" "),
);
