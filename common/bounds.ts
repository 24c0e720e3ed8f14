/*
 * The bounds of what comes from outside: requests of users, replies of models. Each is far beyond what sense
 * asks for, and keeps what is done with it short. Whoever goes beyond one is told which one it is.
 */

/** Characters of a request; some 25,000 tokens, which is what many models read at most. */
export const LONGEST_REQUEST = 100_000;

/**
 * Characters of a model's reply, text and arguments together, and of any message that a conversation goes on
 * with. Results of tools, which have a bound of their own, are shorter.
 */
export const LONGEST_MESSAGE = 200_000;

/** Calls of tools in one reply. */
export const MOST_CALLS = 100;

/** Characters of a tool's name in a call; providers take 64. */
export const LONGEST_NAME = 200;

/** Levels of lists and objects in an argument; deeper ones exhaust the stack of whatever walks through them. */
export const DEEPEST_ARGUMENTS = 64;

/** Steps of a plan, or tasks of an outline. */
export const MOST_STEPS = 200;

/** Characters of a program that a model writes as its plan. */
export const LONGEST_PROGRAM = 20_000;

/** Lines of such a program. */
export const MOST_PROGRAM_LINES = 500;

/**
 * Characters of the run that a saved plan is tested with, as JSON: each look at the library reads it.
 */
export const LONGEST_TEST = 500_000;

/** Statements and expressions in one another in such a program; more exhaust the stack of whatever follows it. */
export const DEEPEST_PROGRAM = 100;

/**
 * Characters that all results of a plan have together in what is told of it once it is left; some 3,000 tokens.
 * Results that are short stay whole, and the long ones share what they leave.
 */
export const LONGEST_OUTCOMES = 12_000;

/** Things that a plan lacks tools for: each is searched for. */
export const MOST_LACKING = 20;

/** Tools on offer that searches in the middle of a run may lead to; many providers take 128, with control tools. */
export const MOST_OFFERED = 100;

/** Phrases that one reply has searched for: each is embedded. */
export const MOST_PHRASES = 100;

/** Characters of such a phrase. */
export const LONGEST_PHRASE = 1000;

/** Parts that a task is split into at once: each is searched for, or asked about. */
export const MOST_SUBTASKS = 50;

/** Characters of a text that a search reads: embedding models read little more, and words repeat. */
export const LONGEST_SEARCHED = 8000;

/** A number as it stands in a message: `10,000`. */
export function counted(count: number): string {
  return count.toLocaleString("en");
}

/** So many of something: `1 tool`, `2 tools`. */
export function several(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The beginning of a text, not in the middle of a surrogate pair. */
export function beginning(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);
}

/** The beginning of a text that is shown among others, with a mark where it was cut. */
export function clipped(text: string, most: number): string {
  return text.length > most ? `${beginning(text, most)} …` : text;
}

/** A text of at most so many characters, with a note where it was cut. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const shown = beginning(text, most);
  return `${shown}… [cut: the first ${shown.length} of ${text.length} characters are shown]`;
}
