import type { ShownCall } from "../routes/watchedRun.js";

/** A part of an answer, with the call whose result it is. */
interface AnswerPart {
  text: string;
  call?: string;
}

/** Texts of results that are shorter appear in answers by chance. */
const SHORTEST = 3;

/** Leaves of results that are looked at. */
const MOST_LEAVES = 5000;

/**
 * The answer in parts: each number and text in it that is a result of a call, a part of one, or how many items it has,
 * names that call; the last one that gave it, because later calls work on what earlier ones gave.
 */
export function partsOf(answer: string, calls: readonly ShownCall[]): AnswerPart[] {
  const sources = sourcesOf(calls);
  const parts: AnswerPart[] = [];
  let rest = 0;
  for (const match of answer.matchAll(wordsIn(sources.texts))) {
    const [text] = match;
    const call =
      sources.texts.get(text.toLowerCase()) ??
      sources.numbers.get(Number(text.replaceAll(",", "")));
    if (call === undefined) continue;
    parts.push({ text: answer.slice(rest, match.index) }, { text, call });
    rest = match.index + text.length;
  }
  return [...parts, { text: answer.slice(rest) }].filter(({ text }) => text !== "");
}

function sourcesOf(calls: readonly ShownCall[]) {
  const numbers = new Map<number, string>();
  const texts = new Map<string, string>();
  let left = MOST_LEAVES;
  for (const { id, result, error } of calls) {
    if (error !== undefined) continue;
    if (Array.isArray(result)) numbers.set(result.length, id);
    for (const leaf of leavesOf(result)) {
      if (left-- <= 0) break;
      if (typeof leaf === "number") numbers.set(leaf, id);
      if (typeof leaf !== "string" || leaf.length < SHORTEST || leaf.length > 200) continue;
      texts.set(leaf.toLowerCase(), id);
      if (leaf.trim() !== "" && Number.isFinite(Number(leaf))) numbers.set(Number(leaf), id);
    }
  }
  return { numbers, texts };
}

function* leavesOf(value: unknown): Generator {
  if (typeof value !== "object" || value === null) yield value;
  else for (const inner of Object.values(value)) yield* leavesOf(inner);
}

/** What goes on a word at its left or right, in scripts that set words apart. */
const GLUE = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]`;

/** A number that is not part of a name, a day or a version. */
const NUMBER = String.raw`(?<![\p{L}\p{N}_.]|[\p{L}\p{N}][-/])-?\d+(?:,\d+)*(?:\.\d+)?(?:e[+-]?\d+)?(?![\p{L}\p{N}_]|[-/]\d)`;

/** The longest texts first, then numbers; words as a whole, never parts of others. */
function wordsIn(texts: ReadonlyMap<string, string>): RegExp {
  const known = [...texts.keys()].toSorted((a, b) => b.length - a.length).slice(0, 500);
  const glued = new RegExp(GLUE, "u");
  const whole = known.map((text) => {
    const escaped = text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
    const [before, after] = [glued.test(text.at(0) ?? ""), glued.test(text.at(-1) ?? "")];
    return `${before ? `(?<!${GLUE})` : ""}${escaped}${after ? `(?!${GLUE})` : ""}`;
  });
  return new RegExp([...whole, NUMBER].join("|"), "giu");
}
