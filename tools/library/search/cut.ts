/** This many are shown however unlikely they are: most of what is wanted is among the first, and they cost little. */
const AT_LEAST = 8;

/**
 * How many tools are needed: those whose chance of being wanted is not below a floor. These are few behind clear
 * winners, and many if scores are close. Of the rules that were measured (a fixed number, a distance from the best
 * score, a share of all chances), this one most often shows all tools of a request for the same tokens; the floors are
 * those with the best share for at most .6 of the tokens of 25 tools (docs/retrieval.md).
 *
 * @param scores of all tools that a search considers, best first, as logits
 * @param floor a share of 1
 */
export function asManyAsNeeded(scores: readonly number[], floor: number): number {
  const [best = 0] = scores;
  const chances = scores.map((score) => Math.exp(score - best));
  const least = floor * chances.reduce((sum, chance) => sum + chance, 0);
  const first = chances.findIndex((chance) => chance < least);
  return first === -1 ? scores.length : Math.min(Math.max(first, AT_LEAST), scores.length);
}
