import type { EarlierTurn, OfferedTool } from "../../nodes/shared/stageInputs.js";
import { genericPhrase } from "./phrases.js";
import { readClauses } from "./sentences.js";
import { conceptsOf, wordsOf } from "./text.js";

/** What a request asks of the tool library itself, and the rest. */
export interface LibraryWishes {
  /** Whether to write or change a tool. */
  writes: boolean;
  /** Names of the tools to delete, or what they do. */
  deletions: string[];
  /** What else it asks; empty for nothing. */
  rest: string;
}

/** Words before "tool" that say which one; after a preposition they are about something else. */
const WHICH = String.raw`(?<which>(?:(?!(?:of|from|in|on|to|with|for)\b)[\w.,-]+\s+){0,8}?)`;
const TOOL = "(?:tools?|functions?|skills?)";

const DELETE = new RegExp(
  String.raw`^(?:delete|remove|drop|erase|discard|uninstall|get rid of)\s+${WHICH}${TOOL}\b(?<what>.*)$`,
  "i",
);

const WRITE = new RegExp(
  String.raw`^(?:create|write|make|build|develop|implement|generate|program|code|define|design|add|update|change|modify|extend|improve|fix|correct|rewrite|adapt|rename)\s+${WHICH}${TOOL}\b`,
  "i",
);

/** "Make it work for negative numbers." */
const MAKE_WORK =
  /^(?:make|have|let)\s+(?:it|this|that|the\s+[\w\s.-]+?)\s+(?:also\s+)?(?:work|handle|accept|support|cope)\b/i;

/** Reads what a request asks of the library; "the tool" alone is the one that the last turn was about. */
export async function readWishes(
  request: string,
  earlierTurns: readonly EarlierTurn[],
): Promise<LibraryWishes> {
  const clauses = await readClauses(request);
  const commands = clauses
    .filter(({ kind }) => kind === "command")
    .map(({ text }) => ({ text, said: unquoted(text) }));
  const writes = commands.some(({ said }) => WRITE.test(said) || MAKE_WORK.test(said));
  const deletions = commands.flatMap(({ said }) => {
    const { which, what } = DELETE.exec(said)?.groups ?? {};
    return which === undefined ? [] : [named(which, what ?? "") || lastTopic(earlierTurns)];
  });
  const others = commands.filter(({ said }) => !DELETE.test(said)).map(({ text }) => text);
  const rest = deletions.length === 0 ? request : others.join(". ");
  return { writes, deletions, rest };
}

/** Removes quotes around names; a longer text in quotes is a value. */
function unquoted(text: string): string {
  return text.replaceAll(/[`"'“](?<name>[\w.-]+)[`"'”]/g, "$<name>");
}

function named(which: string, what: string): string {
  const before = which.replaceAll(/^(?:(?:the|this|that|these|your|my|all|both)\s+)+/gi, "").trim();
  if (before) return before;
  return what
    .replace(/\b(?:from|out of)\s+(?:the|your|my)\b.*$/i, "")
    .replace(/^\s*(?:called|named|for|that|which|to|of)\s+/i, "")
    .replace(/^(?:computes?|calculates?|finds?|gives?|returns?)\s+/i, "")
    .replaceAll(/\b(?:again|please|now|too)\b/gi, "")
    .replaceAll(/^[\s:,]+|[\s.!?,]+$/g, "");
}

function lastTopic(earlierTurns: readonly EarlierTurn[]): string {
  const asked = earlierTurns.findLast(({ role }) => role === "user");
  return asked ? genericPhrase(asked.text) : "";
}

/** Words that say nothing about which tool is meant. */
const SAYS_NOTHING = /^(?:number|list|tool|function)$/;

/** The tools of one or several names, or the problem if one is unclear. */
export function toolsNamed(
  wanted: string,
  tools: readonly OfferedTool[],
): { names: string[] } | { problem: string } {
  const whole = toolNamed(wanted, tools);
  const parts = partsOf(wanted);
  if ("name" in whole || parts.length === 1) {
    return "name" in whole ? { names: [whole.name] } : whole;
  }
  const found = parts.map((part) => toolNamed(part, tools));
  const problem = found.find((one) => "problem" in one);
  return problem ?? { names: found.flatMap((one) => ("name" in one ? [one.name] : [])) };
}

/** Phrases to search for tools by their names. */
export function namePhrases(wanted: string): string[] {
  const phrases = [wanted, ...partsOf(wanted)].map((text) => wordsOf(text).join(" "));
  return [...new Set(phrases)].filter(Boolean);
}

function partsOf(wanted: string): string[] {
  return wanted
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
    .map((part) => part.trim())
    .filter(Boolean);
}

/** The only tool whose name contains all the words; the shortest name wins. */
function toolNamed(
  wanted: string,
  tools: readonly OfferedTool[],
): { name: string } | { problem: string } {
  const exact = tools.find(({ name }) => wordsOf(name).join(" ") === wordsOf(wanted).join(" "));
  if (exact) return { name: exact.name };
  const concepts = conceptsOf(wanted).filter((concept) => !SAYS_NOTHING.test(concept));
  const meant = tools
    .map(({ name }) => ({ name, says: conceptsOf(name) }))
    .filter(({ says }) => concepts.length > 0 && concepts.every((one) => says.includes(one)));
  const fewest = Math.min(...meant.map(({ says }) => says.length));
  const [nearest, ...others] = meant.filter(({ says }) => says.length === fewest);
  if (!nearest) return { problem: `No tool was found that is called ${wanted || "so"}.` };
  if (others.length === 0) return { name: nearest.name };
  const names = [nearest, ...others].map(({ name }) => name).join(", ");
  return { problem: `It is not clear which tool is meant by ${wanted}: ${names}.` };
}
