/** What was got for what was paid. */
export interface CostPoint {
  cost: number;
  score: number;
}

/**
 * The efficient points: no other one scores at least as much for at most the same cost, and more
 * or for less. Cheapest first, so that scores rise along the frontier; equal points stay together.
 */
export function paretoFrontier<Point extends CostPoint>(points: readonly Point[]): Point[] {
  const cheapestFirst = points.toSorted((a, b) => a.cost - b.cost || b.score - a.score);
  const frontier: Point[] = [];
  for (const point of cheapestFirst) {
    const best = frontier.at(-1);
    const isEqual = best && best.cost === point.cost && best.score === point.score;
    if (!best || isEqual || point.score > best.score) frontier.push(point);
  }
  return frontier;
}
