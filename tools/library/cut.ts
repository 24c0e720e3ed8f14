/** So many are shown however unlikely: the first ones are where most of what is wanted lies, and cost little. */
const AT_LEAST = 5;

/**
 * How many tools are as many as needed: those whose chance of being wanted is not below a floor. Clear winners stand
 * nearly alone; where scores lie close, many have a chance. Of the ways that were measured (a distance from the best
 * score, a share of all chances, a number) this one finds all tools of a request most often for the same tokens
 * (eval/experiments/priming.ts).
 *
 * @param scores of all tools that a search considers, the best first, as logits
 * @param floor a share of 1
 *
 * @example
 * asManyAsNeeded([9, 8, 2, 2, 2, 1, 0], 0.01); // 5: the first two alone have a chance, and five are shown anyway
 */
export function asManyAsNeeded(scores: readonly number[], floor: number): number {
  const [best = 0] = scores;
  const chances = scores.map((score) => Math.exp(score - best));
  const least = floor * chances.reduce((sum, chance) => sum + chance, 0);
  const first = chances.findIndex((chance) => chance < least);
  return first === -1 ? scores.length : Math.min(Math.max(first, AT_LEAST), scores.length);
}
