/** The constant of the formula, as published: it keeps the first ranks from outweighing all others. */
const PUBLISHED = 60;

/**
 * Reciprocal rank fusion: each ranking gives an id 1 / (60 + rank), and the sums decide (Cormack, Clarke
 * and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
 * SIGIR 2009). Equal sums keep the order in which the ids were first seen.
 *
 * @param rankings ids, the best first
 * @param constant in the place of 60, more than 0; the smaller it is, the more the first ranks weigh
 */
export function fuseRankings(
  rankings: readonly (readonly string[])[],
  constant = PUBLISHED,
): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [at, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (constant + at + 1));
    }
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
}
