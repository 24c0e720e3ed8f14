import ts from "typescript";
import { type FencedBlock, fencedBlocks } from "./fences.js";

/** What of a model's reply is its code. */
export interface Extraction {
  /** With `\n` as line ends, without the indentation of what wraps it; empty when there is none. */
  code: string;
  /** The line of `code`, from 1, at which a second function's block begins. */
  secondFunctionAt?: number;
}

/**
 * Takes the code out of whatever a model wraps it in: fenced blocks with any or no language, of which
 * one may be cut short; prose without fences; a JSON object `{ "code": … }`; list items; notes of its
 * reasoning in `<think>`. (The reference takes off nine leading and three trailing characters, and so
 * loses code in any other wrapping.)
 */
export function extractCode(reply: string): Extraction {
  const text = withoutReasoning(withPlainLineEnds(reply));
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

function withPlainLineEnds(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n");
}

/** Some models send their reasoning, drafts of code included, before the reply itself. */
function withoutReasoning(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end !== -1 && text.trimStart().startsWith("<think>")
    ? text.slice(end + "</think>".length)
    : text;
}

function codeInJson(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return undefined;
  try {
    const value = JSON.parse(trimmed) as { code?: unknown };
    return typeof value.code === "string" ? value.code : undefined;
  } catch {
    // Not JSON, so it is read as the code or the prose that it may be.
    return undefined;
  }
}

function codeOfBlock(block: string): string {
  const inJson = codeInJson(block);
  return inJson === undefined ? tidy(block) : extractCode(inJson).code;
}

const FUNCTION = /^[ \t]*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\b/m;

const ARROW =
  /^[ \t]*(?:export\s+)?(?:const|let|var)\s+\w+[^=\n]*=\s*(?:async\b\s*)?(?:\(|\w+\s*=>)/m;

/** Different blocks that hold a function; those with usage or output are none. */
function functionBlocks(blocks: readonly FencedBlock[]): string[] {
  const texts = blocks.map(({ text }) => text);
  const holds = (pattern: RegExp): string[] => [
    ...new Set(texts.filter((text) => pattern.test(codeInJson(text) ?? text))),
  ];
  const declared = holds(FUNCTION);
  // An arrow function beside a declared one is usage.
  return declared.length > 0 ? declared : holds(ARROW);
}

const CODE_LANGUAGE = /^(?:|[cm]?[tj]sx?|typescript|javascript|node|ecmascript)$/i;

/** What was marked as code, so that the rules can say what it lacks. */
function codeBlockWithoutFunction(blocks: readonly FencedBlock[]): string | undefined {
  const block = blocks.find(
    ({ language, text }) => CODE_LANGUAGE.test(language) && text.trim() !== "",
  );
  return block && tidy(block.text);
}

/** How a line of code begins that stands at the top of a module. */
const CODE_START = new RegExp(
  [
    "/[/*]",
    "export\\s+(?:default|async|function|const|let|var|type|interface|class|abstract|enum|declare|namespace|[{*])",
    "(?:async\\s+)?function\\s*\\*?\\s*[\\w$]+\\s*[(<]",
    "(?:const|let|var)\\s+[\\w$]+\\s*[:=]",
    "type\\s+[\\w$]+\\s*[=<]",
    "(?:interface|(?:abstract\\s+)?class|(?:const\\s+)?enum|namespace)\\s+[\\w$]+[^.]*\\{",
    "declare\\s+(?:const|function|global|module|namespace)\\b",
    "import\\s+(?:(?:[\\w*{][^'\"\\n]*from\\s*)?['\"]|\\w+\\s*=)",
  ]
    .map((start) => `^[ \\t]*${start}`)
    .join("|"),
  "gm",
);

/** At most so many places in prose are looked at, and so many characters from each. */
const MOST_STARTS = 20;
const MOST_CHARACTERS = 100_000;

function codeInProse(text: string): string | undefined {
  let end = 0;
  const starts = text.matchAll(CODE_START);
  for (let tried = 0; tried < MOST_STARTS; tried += 1) {
    const start = starts.next().value?.index;
    if (start === undefined) return undefined;
    if (start < end) continue;
    const rest = text.slice(start, start + MOST_CHARACTERS);
    const length = leadingLength(rest);
    if (length > 0) return tidy(rest.slice(0, length));
    end = start;
  }
  return undefined;
}

/** A text that is nested too deep for the parser is all code, and will be refused for that. */
function leadingLength(text: string): number {
  try {
    return leadingCode(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return text.length;
  }
}

/** Characters of the declarations that a text begins with; what follows them is prose or usage. */
function leadingCode(text: string): number {
  const source = ts.createSourceFile("reply.ts", text, ts.ScriptTarget.ES2022);
  const firstOther = source.statements.findIndex((statement) => !isDeclaration(statement));
  const leading = firstOther === -1 ? source.statements : source.statements.slice(0, firstOther);
  const end = leading.at(-1)?.end ?? 0;
  // Brackets alone on a line are no prose: the parser has lost its way before them.
  const closers = [...text.slice(end).matchAll(/^[ \t]*[)\]};]+[ \t]*$/gm)].at(-1);
  return closers === undefined || end === 0 ? end : end + closers.index + closers[0].length;
}

function isDeclaration(statement: ts.Statement): boolean {
  return (
    ts.isFunctionDeclaration(statement) ||
    ts.isVariableStatement(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isEnumDeclaration(statement) ||
    ts.isModuleDeclaration(statement) ||
    ts.isImportDeclaration(statement) ||
    ts.isImportEqualsDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isExportAssignment(statement) ||
    ts.isEmptyStatement(statement)
  );
}

/** Without blank lines around it and without the indentation that all lines share. */
function tidy(text: string): string {
  const lines = text.trimEnd().split("\n");
  const first = lines.findIndex((line) => line.trim() !== "");
  const shown = lines.slice(Math.max(first, 0));
  const indents = shown
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  // Reduced, since a reply may have more lines than a call takes arguments.
  const shared = indents.reduce((least, indent) => Math.min(least, indent), Infinity);
  return shown.map((line) => line.slice(Math.min(shared, line.length))).join("\n");
}
