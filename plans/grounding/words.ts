import { readSections } from "../../common/dataFile.js";
import { isFormOf } from "../../common/verbForms.js";

const SECTIONS = readSections(new URL("words.txt", import.meta.url));

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
export const RESULT_WORDS: ResultWords[] = (["part", "draft", "later", "not"] as const).map(
  (meaning) => ({ meaning, found: wordsIn(`found_${meaning}`), said: wordsIn(`said_${meaning}`) }),
);

/** Words that make a sentence an honest "no", "not all" or "already", in several languages. */
const DENYING = wordsIn("denying");

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
  `(?<!\\p{L})(?:${wordsIn("finished").join("|")})(?!\\p{L})|完成|完了|완료`,
  "iu",
);

/** Whether a text says that something has come to its end, in words that were not given. */
export function saysFinished(text: string, given: string): boolean {
  const [word] = FINISHED.exec(text) ?? [];
  return word !== undefined && !given.toLowerCase().includes(word.toLowerCase());
}

const NONE = new RegExp(
  `(?<!\\p{L})(?:${wordsIn("none").join("|")})(?!\\p{L})|n['’]t(?!\\p{L})|没|沒|不|无|無|ない|ません|않|없`,
  "iu",
);

/** What is denied where nothing was done, rather than where nothing was found. */
const DOING = /chang|änder|modifi|cambi|alter|\bdid\b|\bdo\b|\bdone\b|getan|need|nötig|necess/iu;

/** Whether a text says that there is none of something. */
export function deniesExistence(text: string): boolean {
  return text.split(/[,;.:!?]\s|\n/).some((clause) => NONE.test(clause) && !DOING.test(clause));
}

/** Words by which a request asks how many there are, in several languages. */
export const COUNTING =
  /\bhow many\b|\bnumber of\b|\bcount\b|\bwie ?viele?\b|\banzahl\b|\bcombien\b|\bnombre de\b|\bcu[aá]nt[oa]s\b|\bquant[ieo]s?\b|\bhoeveel\b|\bhur många\b|\bile\b|сколько|多少|几个|何件|いくつ|몇/iu;

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
export const WHOLE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${wordsIn("whole").join("|")})(?![\\p{L}\\p{N}])|全部|所有|一共|总共|すべて|全て|모두`,
  "iu",
);

/** Words by which an answer says that it knows a part only. */
export const PART = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${wordsIn("part").join("|")})(?![\\p{L}\\p{N}])|至少|前|少なくとも`,
  "iu",
);

/** The sentences of a text; of a table, each row is one. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?。！？])\s+|\n+|;\s+/).filter((sentence) => sentence.trim());
}

/** What an agent calls to do things, in several languages. */
const TOOLS = new RegExp(
  `(?<!\\p{L})(?:${wordsIn("tools").join("|")})(?!\\p{L})|工具|函数|功能|ツール|関数|機能|도구|기능`,
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
export const AWAY = new RegExp(
  `(?<!\\p{L})(?:${wordsIn("away").join("|")})(?!\\p{L})|连接|审核|授权|接続|承認`,
  "iu",
);

/** The words of a section of words.txt: single words, then phrases, each after a bar. */
export function wordsIn(section: string): string[] {
  const [single = "", ...phrases] = (SECTIONS[section] ?? []).join(" ").split("|");
  return [...single.split(" "), ...phrases];
}

/** Verbs that ask for a change and for nothing else, as one asks: in English the plain form, elsewhere several. */
const CHANGES = {
  english: new Set(wordsIn("commands")),
  others: new Set(wordsIn("commands_elsewhere")),
  unspaced:
    /关闭|删除|发送|预订|转账|退款|取消|分配|閉じて|削除して|送って|送信して|予約して|キャンセルして|振り込んで|닫아|삭제|보내|예약해|취소해/u,
};

/** Before one of these words, the plain form of an English verb asks for what it says. */
const ASKING = new Set("please and then also you now just kindly pls".split(" "));

/** Whether a request asks for a change in words that mean nothing else. */
export function asksForChange(request: string): boolean {
  if (CHANGES.unspaced.test(request)) return true;
  return request.split(/(?<=[.!?;:\n])\s+/).some((sentence) => {
    const said = plainWords(sentence).split(" ");
    const isQuestion = sentence.includes("?");
    return said.some((word, at) => {
      const before = said[at - 1];
      if (CHANGES.english.has(word)) return isQuestion ? before === "you" : isCommand(said, at);
      return !isQuestion && CHANGES.others.has(word);
    });
  });
}

/** "Close it", "please close it", "find them and close them", "I want you to close it", but not "show what to close". */
function isCommand(said: readonly string[], at: number): boolean {
  const before = said[at - 1];
  if (before === "to") return said[0] === "i" || said[0] === "we";
  return before === undefined || ASKING.has(before);
}
