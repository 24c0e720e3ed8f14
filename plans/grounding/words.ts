import { isFormOf } from "../../common/verbForms.js";

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
      `queued pending scheduled processing requested submitted running waiting awaiting enqueued deferred delayed postponed held tentative provisional
      waitlisted waitlist backordered unconfirmed|in progress|in process|in review|under review|on hold|waiting list
      wait list|to be confirmed|requires action|requires approval|needs approval|needs review|not started`,
    ),
    said: words(
      `queue pending schedul processing request submit running wait await defer delay postpon tentativ provision backorder unconfirm soon later
      approval warte ausstehend aussteht eingereiht eingereicht geplant vorläufig vorgemerkt genehmigung geprüft prüfung bearbeit läuft
      beantragt angefordert prévu programm demand cours attente revisión proceso solicit prevista previsto richiest corso revisione verwerk pendiente pendent espera attesa coda|in
      progress|in review|under review|on hold|will be|to be confirmed|not yet|noch nicht|pas encore|todavía no|aún no|non ancora|nog niet|ainda não`,
    ),
  },
  {
    meaning: "not",
    found: words(
      `rejected denied declined refused failed failure error blocked cancelled canceled skipped ignored forbidden unauthorized
      expired invalid locked bounced undeliverable undelivered unavailable conflict aborted overbooked insufficient unsuccessful
      ineligible reverted|rolled back|not found|out of stock|sold out|timed out|no match|not allowed|not sent|not done`,
    ),
    said: words(
      `reject denied declin refus fail error block cancel skip ignor forbid unauthor expire invalid lock bounc undeliver
      unavailab conflict abort overbook insufficien abgelehnt verweigert fehl gesperrt storniert übersprungen ungültig abgelaufen
      échou rejet bloqu refusé falló fallid rechaz fallit rifiut revert zurückgerollt|rolled back`,
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

/** Words by which an answer says that something has come to its end, in several languages. */
const FINISHED = new RegExp(
  `(?<!\\p{L})(?:${words(
    `finished completed delivered arrived ready done fertig abgeschlossen zugestellt erledigt terminée? achevée? livrée?
    terminad[oa] completad[oa] entregad[oa] completat[oa] consegnat[oa] concluíd[oa] klaar voltooid klart`,
  ).join("|")})(?!\\p{L})|完成|完了|완료`,
  "iu",
);

/** Whether a text says that something has come to its end, in words that were not given. */
export function saysFinished(text: string, given: string): boolean {
  const [word] = FINISHED.exec(text) ?? [];
  return word !== undefined && !given.toLowerCase().includes(word.toLowerCase());
}

const NONE = new RegExp(
  `(?<!\\p{L})(?:${words(
    `no not none nothing nobody never neither nor without kein keine keinen keiner keines keinem niemand nie nicht nichts pas
    aucune? rien personne jamais ningún ninguna ninguno nadie nada nunca no sin não nenhum nenhuma ninguém nessun nessuna nessuno
    niente non geen niet niemand niets ingen inga inget ikke нет никто ничего`,
  ).join("|")})(?!\\p{L})|n['’]t(?!\\p{L})|没|沒|不|无|無|ない|ません|않|없`,
  "iu",
);

/** What is denied where nothing was done, rather than where nothing was found. */
const DOING = /chang|änder|modifi|cambi|alter|\bdid\b|\bdo\b|\bdone\b|getan|need|nötig|necess/iu;

/** Whether a text says that there is none of something. */
export function deniesExistence(text: string): boolean {
  return text.split(/[,;.:!?]\s|\n/).some((clause) => NONE.test(clause) && !DOING.test(clause));
}

/** Words by which a request asks how many there are, in several languages. */
const COUNTING =
  /\bhow many\b|\bnumber of\b|\bcount\b|\bwie ?viele?\b|\banzahl\b|\bcombien\b|\bnombre de\b|\bcu[aá]nt[oa]s\b|\bquant[ieo]s?\b|\bhoeveel\b|\bhur många\b|\bile\b|сколько|多少|几个|何件|いくつ|몇/iu;

export function asksForCount(request: string): boolean {
  return COUNTING.test(request);
}

/** The entry of the table that a status of a result falls under. */
export function meaningOf(status: string): ResultWords | undefined {
  const text = ` ${plainWords(status)} `;
  return RESULT_WORDS.find(({ found }) => found.some((word) => text.includes(` ${word} `)));
}

/**
 * Whether an answer has a word of the table for what a result means.
 *
 * @param own words of the request and of the tool: "the door is locked" does not say that locking it failed
 */
export function saysMeaning(answer: string, meaning: ResultMeaning, own: readonly string[] = []) {
  const isOwn = (word: string) => own.some((one) => one === word || isFormOf(word, one));
  const said = plainWords(answer)
    .split(" ")
    .filter((word) => !isOwn(word));
  const text = ` ${said.join(" ")} `;
  if (
    meaning === "later" &&
    /待|审核|审查|处理中|排队|予定|保留|審査|処理中|예정|대기/u.test(answer)
  )
    return true;
  return RESULT_WORDS.some(
    (entry) =>
      entry.meaning === meaning &&
      (entry.said.some((word) => text.includes(` ${word}`)) ||
        entry.found.some((word) => text.includes(` ${word} `))),
  );
}

/** A text in lower case with its words separated by single spaces: "requires_approval" and "inReview" have two. */
export function plainWords(text: string): string {
  const parts = text.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").toLowerCase();
  return (parts.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(" ");
}

/** Words by which an answer speaks of all there is, or of the most and the least of it, in several languages. */
const WHOLE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${words(
    `all every each both total altogether overall entire whole complete most least highest lowest largest smallest biggest
    longest shortest newest latest oldest earliest cheapest dearest best worst average mean alle alles jede jeder jedes sämtliche
    insgesamt gesamt höchste höchsten größte größten kleinste kleinsten neueste älteste billigste teuerste durchschnitt
    tous toutes tout chaque moyenne todos todas todo cada mayor menor promedio tutti tutte tutto ogni media totale alla samtliga`,
  ).join("|")})(?![\\p{L}\\p{N}])|全部|所有|一共|总共|すべて|全て|모두`,
  "iu",
);

/** Whether a text speaks of a whole, or of an extreme of one. */
export function speaksOfAll(text: string): boolean {
  return WHOLE.test(text);
}

/** Words by which an answer says that it knows a part only. */
const PART = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${words(
    `first page pages truncated incomplete cut excerpt far partial partly further more shown loaded sample ersten seite seiten
    gekürzt abgeschnitten unvollständig bisher mindestens auszug weitere weiteren première premières premiers tronqué incomplet
    moins extrait primera primeras primeros página páginas truncado incompleto menos prime primi pagina pagine troncato almeno
    eerste minstens|at least|not all|may be others`,
  ).join("|")})(?![\\p{L}\\p{N}])|至少|前|少なくとも`,
  "iu",
);

export function speaksOfPart(text: string): boolean {
  return PART.test(text);
}

/** The sentences of a text; of a table, each row is one. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s+|\n+|;\s+/).filter((sentence) => sentence.trim());
}

/** What an agent calls to do things, in several languages. */
const TOOLS = new RegExp(
  `(?<!\\p{L})(?:${words(
    `tools? functions? integrations? connectors? plugins? capability capabilities commands? endpoints? werkzeuge?s? tools
    funktion(?:en)? schnittstellen? outils? fonctions? intégrations? herramientas? función funciones integración strument[oi]
    funzion[ei] integrazion[ei] ferramentas? função funções gereedschap functies? verktyg funktioner narzędzi[ae]? funkcj[iae]
    инструмент инструмента инструментов функци[ияй]`,
  ).join("|")})(?!\\p{L})|工具|函数|功能|ツール|関数|機能|도구|기능`,
  "iu",
);

/** What was done or found with tools, such as "No tool was found for it", which leaves open whether there is one. */
const TRIED =
  /^No (?:tool|function)s? (?:confirms|returned|was (?:found|called|created)|were found|call succeeded|is left|within reach)/i;

/** Whether a sentence says that there is no tool for something. */
export function deniesTools(sentence: string): boolean {
  return (
    TOOLS.test(sentence) &&
    !TRIED.test(sentence.trim()) &&
    (denies(sentence) || /\black(?:s|ing)?\b|\bmissing\b/i.test(sentence))
  );
}

/** Reasons for which a tool that exists cannot be called, as answers give them. */
const AWAY = new RegExp(
  `(?<!\\p{L})(?:${words(
    `withheld review reviewed granted permission permitted authori[sz]ed connect connected connection rejected down offline
    unreachable reach reached answering outage geprüft freigegeben gewährt verbunden erreichbar verbindung zurückgehalten
    accordé connecté joignable autorisé concedid[oa] conectad[oa] permiso alcance autorizzat[oa] collegat[oa] raggiungibile|offers you`,
  ).join("|")})(?!\\p{L})|连接|审核|授权|接続|承認`,
  "iu",
);

/** Whether a text gives a reason for which a tool cannot be called. */
export function saysWhyAway(text: string): boolean {
  return AWAY.test(text);
}

/** Single words, separated by spaces, and after them phrases, each behind a bar. */
export function words(text: string): string[] {
  const [single = "", ...phrases] = text.split("|");
  return [...single.split(/\s+/), ...phrases.map((each) => each.replaceAll(/\s+/g, " "))];
}
