import { oneLine } from "../../../common/errors.js";
import { jsonData } from "../../calls/engine/jsonResult.js";
import type { ExampleCheck } from "../../tool.js";
import type { CommentTag } from "./draft.js";
import { NotALiteral, readArguments, readLiteral } from "./readLiteral.js";

/** An example as stated in its text, or why it cannot be read. */
export type StatedExample = { line: number } & (
  | {
      /** In the order of the call. */
      values: unknown[];
      expects: ExampleCheck["expects"];
      /** The call and its result in one line. */
      text: string;
    }
  | { problem: string }
);

/**
 * Reads the text of an `@example`: `call => result`, on any number of lines, possibly in a fence. Instead of `=>` it
 * accepts `→`, `->`, `//`, `// =>`, `==`, `===` and `returns`. Lines that call something else are prose.
 */
export function readExampleText(tag: CommentTag, name: string): StatedExample[] {
  // A fence becomes an empty line, so that line numbers stay correct.
  const text = tag.text.replaceAll(/^[ \t]*(?:`{3,}|~{3,})\w*[ \t]*$/gm, "");
  const call = new RegExp(CALL.replace("NAME", name), "gm");
  const examples: StatedExample[] = [];
  const lineAt = (position: number): number =>
    tag.line + text.slice(0, position).split("\n").length - 1;
  for (let found = call.exec(text); found !== null; found = call.exec(text)) {
    const [, before = "", callText = ""] = found;
    const start = found.index + before.length;
    const line = lineAt(start);
    try {
      const { example, end } = readExample(text, start, start + callText.length - 1);
      examples.push({ line, ...example });
      call.lastIndex = end;
    } catch (error) {
      if (!(error instanceof NotALiteral)) throw error;
      const wanted =
        "arguments and results of examples are literals (numbers, texts, lists, objects)";
      examples.push({ line, problem: `${wanted}, not ${oneLine(error.found)}` });
    }
  }
  if (examples.length > 0) return examples;
  const shown = oneLine(text).slice(0, 80);
  return [
    {
      line: tag.line,
      problem: `"${shown}" is not an example; write "@example ${name}(…) => result"`,
    },
  ];
}

/** A call at the start of a line, possibly after a list mark, `const x =`, `await` or `console.log(`. */
const CALL =
  "^([ \\t]*(?:[-+*][ \\t]+)?(?:`[ \\t]*)?(?:(?:const|let|var)[ \\t]+\\w+[ \\t]*=[ \\t]*)?(?:console\\.log\\([ \\t]*)?(?:await[ \\t]+)?)(NAME[ \\t]*\\()";

/** What may stand between a call and its result; the arrow may be on the next line. */
const BETWEEN =
  /\s*[`)]?[ \t]*;?\s*((?:\/\/|#)?[ \t]*(?:=>|⇒|→|->|={1,3}|returns?\b:?|gives?\b)?)[ \t]*/y;

const THROWS = /(?:(?:it[ \t]+)?(?:throws?|raises?|errors?)\b|(?:[A-Z]\w*)?Error\b).*/iy;

const RUNS = /runs?\b.*/iy;

const NOTHING = /(?:undefined|void|nothing)\b/y;

const AFTER = /[`);.,]*[ \t]*(?:\/\/.*)?$/my;

function readExample(
  text: string,
  start: number,
  open: number,
): {
  example:
    | { values: unknown[]; expects: ExampleCheck["expects"]; text: string }
    | { problem: string };
  end: number;
} {
  const { value: values, end: callEnd } = readArguments(text, open);
  const call = oneLine(text.slice(start, callEnd));
  const at = endOf(BETWEEN, text, callEnd) ?? callEnd;
  const between = text.slice(callEnd, at).replaceAll(/[`);]/g, "");
  const isMarked = between.trim() !== "";
  const stated =
    (isMarked || !between.includes("\n") ? readOutcome(text, at) : undefined) ??
    (isMarked ? readResult(text, at) : undefined);
  if (stated === undefined) {
    const problem = `${call} states no result; write "${call} => result", or "=> throws"`;
    return { example: { problem }, end: callEnd };
  }
  const { expects, end } = stated;
  const after = endOf(AFTER, text, end);
  const expected = oneLine(text.slice(at, end));
  if (after === undefined) {
    const [rest = ""] = text.slice(end).split("\n", 1);
    const problem = `after the result ${expected} comes "${rest.trim().slice(0, 60)}"; write the result alone`;
    return { example: { problem }, end };
  }
  const shown = expects.kind === "value" ? expected : expects.kind;
  return { example: { values, expects, text: `${call} => ${shown}` }, end: after };
}

interface Stated {
  expects: ExampleCheck["expects"];
  end: number;
}

/** `throws` or `runs`, which need no arrow on the same line as the call. */
function readOutcome(text: string, from: number): Stated | undefined {
  const throws = endOf(THROWS, text, from);
  if (throws !== undefined) return { expects: { kind: "throws" }, end: throws };
  const runs = endOf(RUNS, text, from);
  return runs === undefined ? undefined : { expects: { kind: "runs" }, end: runs };
}

/** @returns undefined at the end of the text */
function readResult(text: string, from: number): Stated | undefined {
  const nothing = endOf(NOTHING, text, from);
  if (nothing !== undefined) return { expects: { kind: "value", value: undefined }, end: nothing };
  if (text.slice(from).trim() === "") return undefined;
  const { value, end } = readLiteral(text, from);
  return { expects: { kind: "value", value: jsonData(value) }, end };
}

/** Where a sticky pattern that starts here ends; undefined if it does not match. */
function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
