import { UnknownName } from "../../../common/errors.js";
import type { WorkWorld } from "./state.js";

/** The words and numbers of a text in lower case, without function words. */
export function tokensOf(text: string): string[] {
  const tokens = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return tokens.filter((token) => !FILLERS.has(token));
}

/**
 * The id of the object that a name refers to: an equal name first, then one that contains all words, then the one that
 * shares most words. Customers come before parts, users, sprints and work items. Numbers must be equal: "Sprint 99" is not
 * "Sprint 9".
 *
 * @throws UnknownName if no name shares a word with it
 */
export function nearestByName(world: WorkWorld, query: string): string {
  const all = namesOf(world);
  const wanted = tokensOf(query);
  let best: { id: string; score: number } = { id: "", score: 0 };
  for (const { id, name } of all) {
    const score = scoreOf(wanted, query, name);
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

/** 3 for an equal name, between 1 and 2 if it contains all words, less if only some. */
function scoreOf(wanted: readonly string[], query: string, name: string): number {
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
