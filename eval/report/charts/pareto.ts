/** A score and its cost. */
export interface CostPoint {
  cost: number;
  score: number;
}

/** The points that no other point beats in cost or score without being worse in the other; cheapest first. */
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
