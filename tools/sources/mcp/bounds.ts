/** Bytes of one answer from a server; a longer one is refused. */
export const MOST_BYTES = 10_000_000;

/** Tools taken from one server. */
export const MOST_TOOLS = 20_000;

/** Time limit in milliseconds for a server's start and for its list; it may have to download packages first. */
export const START_MS = 60_000;

/** Milliseconds after which an unused connection is closed. */
export const IDLE_MS = 30_000;

/** Milliseconds for which a list is valid if its server does not say. */
export const LISTED_FOR_MS = 3_600_000;

/** The longest that a list, or what is known of a server's revision, is valid, in milliseconds. */
export const LISTED_AT_MOST_MS = 86_400_000;

/** Milliseconds that a server's question waits for a person. */
export const ANSWERED_WITHIN_MS = 3_600_000;

/** Questions that one call may ask. */
export const MOST_QUESTIONS = 20;
