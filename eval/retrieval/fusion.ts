/** The constant of the formula, as published: it keeps the first ranks from outweighing all others. */
const K = 60;

/**
 * Reciprocal rank fusion: each ranking gives an id 1 / (60 + rank), and the sums decide (Cormack, Clarke
 * and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
 * SIGIR 2009). Equal sums keep the order in which the ids were first seen.
 *
 * @param rankings ids, the best first
 */
export function fuseRankings(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [at, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1));
    }
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([id]) => id);
}
