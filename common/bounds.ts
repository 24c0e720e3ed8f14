/*
 * Bounds of everything that comes from outside: users' requests and models' replies. Each is far beyond sensible use
 * and keeps the work short. Whoever exceeds one is told which.
 */

/** Characters of a request: about 25,000 tokens, as much as many models read. */
export const LONGEST_REQUEST = 100_000;

/**
 * Characters of a model's reply, text and arguments together, and of any message in a conversation. Results of tools
 * have a smaller bound.
 */
export const LONGEST_MESSAGE = 200_000;

/** Calls of tools in one reply. */
export const MOST_CALLS = 100;

/** Characters of a tool's name in a call; providers allow 64. */
export const LONGEST_NAME = 200;

/** Levels of lists and objects in an argument; deeper ones exhaust the stack of code that walks through them. */
export const DEEPEST_ARGUMENTS = 64;

/** Steps of a plan, or tasks of an outline. */
export const MOST_STEPS = 200;

/** Characters of a program written as a plan. */
export const LONGEST_PROGRAM = 20_000;

/** Lines of such a program. */
export const MOST_PROGRAM_LINES = 500;

/** Characters, as JSON, of the run that a saved plan is tested with; every access to the library reads it. */
export const LONGEST_TEST = 500_000;

/** Nesting depth of such a program; deeper ones exhaust the interpreter's stack. */
export const DEEPEST_PROGRAM = 100;

/**
 * Characters that the results of an abandoned plan share when a model is told about it: about 3,000 tokens.
 * Short results stay whole, and long ones share the rest.
 */
export const LONGEST_OUTCOMES = 12_000;

/** Pictures among results that a model is shown with each question: the last ones, of some thousand tokens together. */
export const MOST_PICTURES = 4;

/** Bytes of such a picture; some providers refuse larger ones. */
export const LARGEST_PICTURE = 3_000_000;

/** Missing tools that a plan may name; each is searched for. */
export const MOST_LACKING = 20;

/** Tools offered to a model after searches during a run; many providers accept 128, control tools included. */
export const MOST_OFFERED = 100;

/** Search phrases in one reply; each is embedded. */
export const MOST_PHRASES = 100;

/** Characters of such a phrase. */
export const LONGEST_PHRASE = 1000;

/** Parts of a task; each is searched for or asked about. */
export const MOST_SUBTASKS = 50;

/** Characters of a text that a search reads; embedding models read little more. */
export const LONGEST_SEARCHED = 8000;

/** A map of the latest entries: when there are too many, the one that was set longest ago leaves. */
export class Latest<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this;
    if (this.size > this.#most && oldest) this.delete(oldest[0]);
    return this;
  }
}

/** Reads items by their keys, each once, until there are more than are kept: then all are forgotten. */
export function keeping<Key, Item>(options: {
  most: number;
  keyOf: (item: Item) => Key;
  read: (keys: Key[]) => readonly Item[];
}): (keys: readonly Key[]) => Item[] {
  const { most, keyOf, read } = options;
  const kept = new Map<Key, Item>();
  return (keys) => {
    if (kept.size > most) kept.clear();
    const unread = keys.filter((key) => !kept.has(key));
    for (const item of unread.length > 0 ? read(unread) : []) kept.set(keyOf(item), item);
    return keys.flatMap((key) => kept.get(key) ?? []);
  };
}
