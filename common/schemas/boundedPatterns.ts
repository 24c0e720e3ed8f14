import { type Context, Script, createContext } from "node:vm";
import { patternFlags } from "./patterns.js";

/** Time that the patterns of one schema may take in a second, in milliseconds. */
const PATTERNS_MS = 100;

/** Longer texts take long even with a harmless pattern. */
const LONGEST_UNTIMED = 10_000;

const test = new Script("pattern.test(text)");

let context: Context | undefined;

/**
 * Makes the patterns of one schema from outside, some of which take for ever with the right text. Those that take too
 * long match nothing.
 *
 * @returns a function that throws SyntaxError for a pattern that is none
 */
export function boundedPatterns(): (source: string, flags: string) => Pick<RegExp, "test"> {
  let since = 0;
  let left = 0;
  const inTime = (pattern: RegExp, text: string): boolean => {
    const begun = performance.now();
    if (begun - since > 1_000) [since, left] = [begun, PATTERNS_MS];
    if (left < 1) return false;
    const isMatch = testWithin(pattern, text, Math.floor(left));
    left -= performance.now() - begun;
    return isMatch;
  };
  return (source, flags) => {
    const pattern = new RegExp(source, flags || patternFlags(source));
    const isHarmless = !mayBacktrack(source);
    return {
      test: (text) =>
        isHarmless && text.length <= LONGEST_UNTIMED ? pattern.test(text) : inTime(pattern, text),
    };
  };
}

/** Whether a pattern repeats a group, several parts, or what it refers back to; others take time in proportion. */
function mayBacktrack(source: string): boolean {
  const plain = source.replaceAll(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, "x");
  const repeated = plain.match(/[*+]|\{\d+,/g) ?? [];
  return repeated.length > 1 || /\)[*+{]|\\[1-9k]/.test(plain);
}

/** Only a script can be ended in the middle of a test. */
function testWithin(pattern: RegExp, text: string, timeout: number): boolean {
  context ??= createContext({});
  Object.assign(context, { pattern, text });
  try {
    return test.runInContext(context, { timeout }) === true;
  } catch (error) {
    if (Object(error).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return false;
    throw error;
  } finally {
    Object.assign(context, { pattern: undefined, text: "" });
  }
}
