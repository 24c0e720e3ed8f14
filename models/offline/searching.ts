import type { ActInput } from "../../nodes/acting/actInput.js";
import { SEARCH_LIBRARY } from "../../tools/control.js";
import type { StepState } from "./follow.js";
import type { PlannedCall } from "./message.js";
import { searchPhrases } from "./phrases.js";
import { NO_FITTING_TOOL } from "./stepChoices.js";

/** A search for what was not searched for yet; undefined when nothing is left, or no search is possible. */
export function searchFor(
  phrases: readonly string[],
  { searched }: Pick<ActInput, "searched">,
): PlannedCall[] | undefined {
  if (!searched) return undefined;
  const known = new Set(searched.map((phrase) => phrase.trim().toLowerCase()));
  const fresh = [...new Set(phrases)].filter((phrase) => !known.has(phrase.trim().toLowerCase()));
  if (fresh.length === 0) return undefined;
  return [{ name: SEARCH_LIBRARY.name, args: { action_descriptions: fresh } }];
}

/** A search, once, for the tools of steps that none of those on offer does. */
export function searchForTools(
  { steps, states }: { steps: readonly string[]; states: readonly StepState[] },
  input: Pick<ActInput, "searched">,
): PlannedCall[] | undefined {
  const lacking = steps.filter((_, at) => {
    const state = states[at];
    return state?.state === "failed" && state.reason === NO_FITTING_TOOL;
  });
  return searchFor(lacking.flatMap(phrasesOf), input);
}

/** What to search for a step by. */
export function phrasesOf(step: string): string[] {
  return searchPhrases(step, []);
}
