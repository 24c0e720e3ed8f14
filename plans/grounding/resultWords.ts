/**
 * What a word in a result means: `not` it was not done · `part` not all of it was · `draft` it was only prepared ·
 * `later` it is still to happen.
 */
export type ResultMeaning = "not" | "part" | "draft" | "later";

/** Words of results that mean the same, and words by which an answer says so. */
export interface ResultWords {
  meaning: ResultMeaning;
  /** As results have them, in lower case; several words are separated by spaces. */
  found: string[];
  /** Beginnings of words that say it in an answer, in several languages. */
  said: string[];
}

/**
 * The table of words by which results state a reservation about themselves. An application can add to it:
 *
 * @example
 * RESULT_WORDS.push({ meaning: "later", found: ["on ice", "geparkt"], said: ["on ice", "geparkt"] });
 */
export const RESULT_WORDS: ResultWords[] = [
  {
    meaning: "part",
    found: words("partial partially partly incomplete|in part|some failed|partial success"),
    said: words(
      "partial partly teilweis partiell parcial parzial partiel incomplet unvollst|in part",
    ),
  },
  {
    meaning: "draft",
    found: words(
      "draft unsent unpublished proposed simulated simulation preview|dry run|test mode",
    ),
    said: words(
      "draft unsent unpublish propos simul preview entwurf vorschau brouillon borrador bozza rascunho|dry run|test mode",
    ),
  },
  {
    meaning: "later",
    found: words(
      `queued pending scheduled processing waiting awaiting enqueued deferred delayed postponed held tentative provisional
      waitlisted waitlist backordered unconfirmed|in progress|in process|in review|under review|on hold|waiting list
      wait list|to be confirmed|requires action|requires approval|needs approval|needs review|not started`,
    ),
    said: words(
      `queue pending schedul processing wait await defer delay postpon tentativ provision backorder unconfirm soon later
      approval warte ausstehend aussteht eingereiht geplant vorläufig genehmigung attente pendiente pendent espera attesa coda|in
      progress|in review|under review|on hold|will be|to be confirmed`,
    ),
  },
  {
    meaning: "not",
    found: words(
      `rejected denied declined refused failed failure error blocked cancelled canceled skipped ignored forbidden unauthorized
      expired invalid locked bounced undeliverable undelivered unavailable conflict aborted overbooked insufficient unsuccessful
      ineligible|not found|out of stock|sold out|timed out|no match|not allowed|not sent|not done`,
    ),
    said: words(
      `reject denied declin refus fail error block cancel skip ignor forbid unauthor expire invalid lock bounc undeliver
      unavailab conflict abort overbook insufficien abgelehnt verweigert fehl gesperrt storniert übersprungen ungültig abgelaufen
      échou rejet bloqu refusé falló fallid rechaz fallit rifiut`,
    ),
  },
];

/** Words that make a sentence an honest "no", "not all" or "already", in several languages. */
const DENYING = words(
  `no not none nothing nobody never neither nor without cannot except but however only already still unchanged unable
  nicht nichts kein keine keinen keiner keines keinem niemand nie nur bereits schon noch aber jedoch außer ohne
  ne pas aucun aucune rien jamais seulement déjà mais sans encore ningún ninguna ninguno nada nunca solo sólo ya pero sin aún
  não nenhum nenhuma já mas sem ainda apenas non nessun nessuna niente già senza soltanto geen niet niets alleen maar zonder
  ingen inte inget redan ikke не нет ни уже только`,
);

const DENIAL = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${DENYING.join("|")})(?![\\p{L}\\p{N}])|n['’]t(?!\\p{L})|没|沒|不|未|无|無|ない|ません|않|없`,
  "iu",
);

/** Whether a text says that something is not so, not all, or was so before. */
export function denies(text: string): boolean {
  return DENIAL.test(text);
}

/** The entry of the table that a status of a result falls under. */
export function meaningOf(status: string): ResultWords | undefined {
  const text = ` ${plainWords(status)} `;
  return RESULT_WORDS.find(({ found }) => found.some((word) => text.includes(` ${word} `)));
}

/** Whether an answer says what an entry of the table means. */
export function saysSo(answer: string, { said }: Pick<ResultWords, "said">): boolean {
  const text = ` ${plainWords(answer)} `;
  return said.some((word) => text.includes(` ${word}`));
}

/** A text in lower case with its words separated by single spaces: "requires_approval" and "inReview" have two. */
function plainWords(text: string): string {
  const parts = text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").toLowerCase();
  return (parts.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");
}

/** Single words, separated by spaces, and after them phrases, each behind a bar. */
function words(text: string): string[] {
  const [single = "", ...phrases] = text.split("|");
  return [...single.split(/\s+/), ...phrases.map((each) => each.replaceAll(/\s+/g, " "))];
}
