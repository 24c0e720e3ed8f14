import { jsonOrNothing } from "../../../common/jsonInText.js";

interface Extraction {
  /** With `\n` line ends and without indentation; empty if there is none. */
  code: string;
  /** The line of `code`, from 1, at which a second function's block begins. */
  secondFunctionAt?: number;
}

/**
 * Extracts the code from a model's reply: from fenced blocks with or without a language (the last may be truncated),
 * prose without fences, a JSON object `{ "code": … }`, or list items. (The reference removes nine leading and three
 * trailing characters, so it loses code that is wrapped in any other way.)
 */
export function extractCode(reply: string): Extraction {
  const text = reply.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
  const inJson = codeInJson(text);
  if (inJson !== undefined) return extractCode(inJson);
  const { blocks, outside } = fencedBlocks(text);
  const [first, second] = functionBlocks(blocks);
  if (second !== undefined && first !== undefined) {
    const before = tidy(first);
    return {
      code: `${before}\n\n${tidy(second)}`,
      secondFunctionAt: before.split("\n").length + 2,
    };
  }
  if (first !== undefined) return { code: codeOfBlock(first) };
  return { code: codeInProse(outside) ?? codeBlockWithoutFunction(blocks) ?? "" };
}

function codeInJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return undefined;
  const { code } = Object(jsonOrNothing(trimmed)) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

function codeOfBlock(block: string): string {
  const inJson = codeInJson(block);
  return inJson === undefined ? tidy(block) : extractCode(inJson).code;
}

interface FencedBlock {
  /** The text after the opening fence; often empty. */
  language: string;
  text: string;
}

const OPENING = /^[ \t]*(?:(?:[-+*]|\d+[.)])[ \t]+)?(`{3,}|~{3,})([^`]*)$/;

/**
 * Splits a text into its fenced blocks (backticks or tildes, also in list items; the last may be truncated) and the
 * text outside them. A fence inside a doc comment belongs to the code.
 */
function fencedBlocks(text: string): { blocks: FencedBlock[]; outside: string } {
  const blocks: FencedBlock[] = [];
  const outside: string[] = [];
  let open: { fence: string; language: string; lines: string[] } | undefined;
  let inComment = false;
  for (const line of text.split("\n")) {
    if (open !== undefined) {
      if (closes(line, open.fence)) {
        blocks.push({ language: open.language, text: open.lines.join("\n") });
        open = undefined;
      } else open.lines.push(line);
      continue;
    }
    const [, fence, info] = (!inComment && OPENING.exec(line)) || [];
    if (fence !== undefined && info !== undefined) {
      open = { fence, language: info.trim().split(/\s/)[0] ?? "", lines: [] };
      continue;
    }
    outside.push(line);
    inComment = endsInComment(line, inComment);
  }
  if (open !== undefined) blocks.push({ language: open.language, text: open.lines.join("\n") });
  return { blocks, outside: outside.join("\n") };
}

/** At least as long as the opening fence, of the same kind, and alone on its line. */
function closes(line: string, fence: string): boolean {
  const trimmed = line.trim();
  const [mark = ""] = fence;
  return trimmed.length >= fence.length && trimmed === mark.repeat(trimmed.length);
}

function endsInComment(line: string, before: boolean): boolean {
  const opened = line.lastIndexOf("/**");
  const closed = line.lastIndexOf("*/");
  return opened === closed ? before : opened > closed;
}

const FUNCTION = /^[ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b/m;

const ARROW =
  /^[ \t]*(?:export\s+)?(?:const|let|var)\s+\w+[^=\n]*=\s*(?:async\b\s*)?(?:\(|\w+\s*=>)/m;

/** Distinct blocks with a function; usage and output do not count. */
function functionBlocks(blocks: readonly FencedBlock[]): string[] {
  const texts = blocks.map(({ text }) => text);
  const holds = (pattern: RegExp): string[] => [
    ...new Set(texts.filter((text) => pattern.test(codeInJson(text) ?? text))),
  ];
  const declared = holds(FUNCTION);
  // An arrow function next to a declared one is usage.
  return declared.length > 0 ? declared : holds(ARROW);
}

const CODE_LANGUAGE = /^(?:|[cm]?[tj]sx?|typescript|javascript|node|ecmascript)$/i;

/** A block marked as code, so that the rules can say what it lacks. */
function codeBlockWithoutFunction(blocks: readonly FencedBlock[]): string | undefined {
  const block = blocks.find(
    ({ language, text }) => CODE_LANGUAGE.test(language) && text.trim() !== "",
  );
  return block && tidy(block.text);
}

/** How top-level code of a module begins. */
const CODE_START = new RegExp(
  [
    "/[/*]",
    "export\\s+(?:default|async|function|const|let|var|type|interface|class|enum|[{*])",
    "(?:async\\s+)?function\\s*\\*?\\s*[\\w$]+\\s*[(<]",
    "(?:const|let|var|type)\\s+[\\w$]+\\s*[:=<]",
    "declare\\s+(?:const|function|global|module)\\b",
    "(?:interface|class|enum|namespace)\\s+[\\w$]+[^.\\n]*\\{",
    "import\\s[^\\n]*['\"]",
  ]
    .map((start) => `^[ \\t]*${start}`)
    .join("|"),
  "m",
);

/** From the first line of code to the last one that closes a brace, else to the end of the paragraph. */
function codeInProse(text: string): string | undefined {
  const start = text.search(CODE_START);
  if (start === -1) return undefined;
  const lines = text.slice(start).split("\n");
  const close = lines.findLastIndex((line) => /\}[;)\s]*$/.test(line));
  const blank = lines.findIndex((line) => line.trim() === "");
  const end = close === -1 ? blank : close + 1;
  return tidy(lines.slice(0, end === -1 ? lines.length : end).join("\n"));
}

/** Without surrounding blank lines and common indentation. */
function tidy(text: string): string {
  const lines = text.trimEnd().split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const shown = lines.slice(Math.max(first, 0));
  const indents = shown
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  // Not Math.min(...indents): a reply may have more lines than a call can have arguments.
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Infinity);
  return shown.map((line) => line.slice(Math.min(shared, line.length))).join("\n");
}
