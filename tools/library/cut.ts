/** So many are shown however unlikely: the first ones are where most of what is wanted lies, and cost little. */
const AT_LEAST = 8;

/**
 * How many tools are as many as needed: those whose chance of being wanted is not below a floor. Behind clear winners
 * few have one, and many where scores lie close. Of the ways that were measured (a number, a distance from the best
 * score, a share of all chances) this one has all tools of a request most often for the same tokens; the numbers are
 * those with the best share for at most .6 of the tokens of 25 tools (eval/experiments/priming.ts).
 *
 * @param scores of all tools that a search considers, the best first, as logits
 * @param floor a share of 1
 */
export function asManyAsNeeded(scores: readonly number[], floor: number): number {
  const [best = 0] = scores;
  const chances = scores.map((score) => Math.exp(score - best));
  const least = floor * chances.reduce((sum, chance) => sum + chance, 0);
  const first = chances.findIndex((chance) => chance < least);
  return first === -1 ? scores.length : Math.min(Math.max(first, AT_LEAST), scores.length);
}
