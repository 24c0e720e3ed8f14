/** Bytes of one answer of a server; a longer one is refused. */
export const MOST_BYTES = 10_000_000;

/** Tools of one server. */
export const MOST_TOOLS = 20_000;

/** Milliseconds that a server has for its start and its list; packages may have to be fetched first. */
export const START_MS = 60_000;

/** Milliseconds after which a connection that nobody uses is closed. */
export const IDLE_MS = 30_000;

/** Milliseconds for which a list holds if its server does not say. */
export const LISTED_FOR_MS = 3_600_000;

/** Milliseconds for which a list holds at most, and what is known of a server's revision. */
export const LISTED_AT_MOST_MS = 86_400_000;

/** Milliseconds that a question of a server waits for a person. */
export const ANSWERED_WITHIN_MS = 3_600_000;

/** Questions that one call may ask. */
export const MOST_QUESTIONS = 20;
