import type { ToolDefinition } from "../../tool.js";
import { termsOf } from "./words.js";

// Both lists are written for tools in general; what they bring was measured on public sets (docs/retrieval.md).

/** What tools do, by the verbs that say so, a kind a line; what a question asks for comes first. */
const DEEDS = linesOf(`
  get fetch show retrieve read give tell view display provide obtain see return list search find lookup locate discover query look check describe count compare download verify validate
  create add make new insert register schedule book compose write post open start set generate build put save store remember memorize keep
  update change edit modify rename reschedule adjust set replace alter postpone move patch put close complete
  delete remove cancel drop clear erase unsubscribe discard forget destroy uninstall
  send email mail forward message notify share reply post comment answer respond
  start run launch boot trigger execute open resume
  stop cancel end abort halt terminate suspend pause close shutdown`);

/** Other words that requests and tools use for the same thing, a group a line. */
const THINGS = linesOf(`
  compare difference versus diff changed
  check verify validate test confirm whether
  calculate compute determine evaluate solve work
  convert translate transform turn change language
  buy purchase order shop pay charge bill invoice payment
  play listen stream
  press click push tap
  type fill enter
  choose select pick option
  zip compress gzip archive
  attach connect link plug
  detach disconnect unlink unplug
  copy duplicate clone fork
  resize scale grow shrink extend
  restart reset reboot rerun
  restore revert undo rollback
  complete finish resolve done close
  approve accept confirm review
  subscribe follow watch
  star favorite bookmark
  mute silence snooze pause
  assign member
  remember memorize keep save store note memory observation
  forget memory observation
  know read search
  publish release deploy version
  email mail message text
  comment reply thread
  channel room conversation chat
  meeting event appointment
  task todo item reminder
  alarm alert monitor warning notification
  page site website web url
  document file
  folder directory
  picture image photo screenshot media
  row record entry item
  table database collection
  label tag category
  person user contact account member people team employee
  me self myself user authenticated
  company organization
  repo repository
  pr pull
  bug issue ticket defect
  failure error fail break exception crash
  pipeline workflow run job build
  log console output
  machine instance server vm host
  disk volume storage drive
  backup snapshot
  secret password token credential
  permission access policy role
  address location place restaurant
  distance far route direction
  time clock hour
  biggest largest size
  free busy available
  song track music
  flight fly airline plane
  hotel accommodation stay lodging`);

function linesOf(text: string): string[][] {
  return text.trim().split("\n").map(termsOf);
}

const RELATED = new Map<string, Set<string>>();
for (const group of [...DEEDS, ...THINGS]) {
  for (const word of group) RELATED.set(word, new Set([...(RELATED.get(word) ?? []), ...group]));
}

/** What verbs are made into other words by: "starred", "creating", "follower". */
const ENDINGS = ["ing", "ed", "er", "ion"];

/** Words that say the same as a word, and its other forms, of which some may be no words. */
export function relatedTo(word: string): Iterable<string> {
  const endings = ENDINGS.filter((one) => word.endsWith(one) && word.length >= one.length + 3);
  const stems = ["", ...endings].map((one) =>
    // Without an e or a doubled letter at its end.
    word.slice(0, word.length - one.length).replace(/e$|(?<=([^aeiou]))\1$/u, ""),
  );
  const forms = stems.flatMap((stem) => ["", "e", ...ENDINGS].map((one) => stem + one));
  return [...(RELATED.get(word) ?? []), ...forms];
}

/** What verbs among these words do, a bit for each kind; 0 if that is not known. */
function deedsOf(words: readonly string[]): number {
  return DEEDS.reduce(
    (deeds, verbs, kind) =>
      words.some((word) => verbs.includes(word)) ? deeds | (1 << kind) : deeds,
    0,
  );
}

const QUESTION = /\?|^\W*(?:wh\w+|how|is|are|do|does|did|has|have|was|were|am)\b/iu;

/** What stands before a noun or an adjective, which many verbs are as well: "the most open issues", "my email". */
const DETERMINED =
  /\b(?:the|an?|my|our|your|his|her|its|their|all|any|every|each|some|no|many|most|more|few|are|is|still)\s+\w+/giu;

export function isQuestion(request: string): boolean {
  return QUESTION.test(request);
}

/** What a request asks for, a bit for each kind. */
export function deedsAsked(request: string): number {
  return deedsOf(termsOf(request.replaceAll(DETERMINED, " "))) | (isQuestion(request) ? 1 : 0);
}

/** The trait of a deprecated tool, above the bits of what it does. */
export const DEPRECATED = 1 << DEEDS.length;

/** "Deprecated. Use …", "Reads a file. DEPRECATED: …", but not "Lists images that are not deprecated". */
const SAYS_DEPRECATED = /^\W*[Dd]eprecated\b|\bDEPRECATED\b/u;

/** The trait of a tool that works on this machine's files, above that of a deprecated one. */
export const LOCAL = DEPRECATED << 1;

/** What names of parameters that take a path have, and those of what lies elsewhere: somebody's repository, a page's id. */
const PLACES = new Set(
  termsOf("path file filename filepath directory dir folder source destination"),
);
const ELSEWHERE = new Set(termsOf("owner account bucket id url uri"));

/**
 * What a tool does, by the verb that its name begins with, ends with or has, whether it is deprecated, and whether all that
 * it must be told of a place is a path.
 */
export function traitsOf({ name, description, parameters }: ToolDefinition): number {
  const words = termsOf(name);
  const deeds = [...words.slice(0, 1), ...words.slice(-1), ...words].map((word) => deedsOf([word]));
  const asked = termsOf((parameters.required ?? []).join("\n"));
  const isLocal =
    asked.some((word) => PLACES.has(word)) && !asked.some((word) => ELSEWHERE.has(word));
  return (
    (deeds.find((each) => each > 0) ?? 0) |
    (SAYS_DEPRECATED.test(description) ? DEPRECATED : 0) |
    (isLocal ? LOCAL : 0)
  );
}

/** Whether a tool only reads, going by its name: enough to stop a model that repeats it, too little to run it unasked. */
export function soundsReading(tool: ToolDefinition): boolean {
  return (traitsOf(tool) & (DEPRECATED - 1)) === 1;
}

/** Whether a tool does only other things than a request asks for. */
export function isContrary(traits: number, asked: number): boolean {
  const deeds = traits & (DEPRECATED - 1);
  return deeds !== 0 && asked !== 0 && (deeds & asked) === 0;
}
