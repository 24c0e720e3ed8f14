import ts from "typescript";
import type { ParsedProgram } from "./parseProgram.js";
import { bareExpression } from "./reading.js";

/**
 * Candidates for the program in a model's reply, likeliest first: the last code fence, all fences joined, the
 * whole text, and the text without surrounding prose.
 */
export function programCodes(text: string): string[] {
  const fences = [...text.matchAll(/```([^\n`]*)\n([\s\S]*?)(?:```|$)/g)]
    .map(([, tag = "", code = ""]) => ({ tag: tag.trim().toLowerCase(), code: trimmed(code) }))
    .filter(({ code }) => code !== "");
  if (fences.length === 0) return distinct([trimmed(text), withoutProse(text)]);
  const tagged = fences.filter(({ tag }) => CODE.has(tag));
  const shown = (tagged.length > 0 ? tagged : fences).map(({ code }) => code);
  return distinct([shown.at(-1) ?? "", shown.join("\n")]);
}

const CODE = new Set(["ts", "typescript", "js", "javascript", "tsx", "jsx", "mts", "mjs"]);

function distinct(codes: string[]): string[] {
  return [...new Set(codes)];
}

/** Code without surrounding empty lines. */
function trimmed(code: string): string {
  return code.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
}

/** The lines from the first to the last that look like code, if all others are prose. */
function withoutProse(text: string): string {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => FIRST.test(line));
  const last = lines.findLastIndex((line) => LAST.test(line));
  const around = [...lines.slice(0, Math.max(first, 0)), ...lines.slice(last + 1)];
  if (first < 0 || last < first || !around.every(isProse)) return trimmed(text);
  return trimmed(lines.slice(first, last + 1).join("\n"));
}

const FIRST =
  /^\s*(?:(?:const|let|var)\s+[\w$[{]|await\s|(?:for|if)\s*\(|try\s*\{|return\s|(?:export\s+)?(?:async\s+)?function\s|\(async|\/\/)/;

const LAST = /[;})\]`]\s*(?:\/\/.*)?$/;

/** Whether dropping a line loses no code. */
function isProse(line: string): boolean {
  return line.trim() === "" || /^[^=;{}`]*[\p{L}\p{N}.:!?*"]\s*$/u.test(line);
}

/**
 * The code inside a function that wraps the whole program and is called at the end: `async function main() { …
 * } main();`. Code before the function is kept before it.
 *
 * @returns undefined if no function wraps the program
 */
export function unwrapProgram({ source, statements }: ParsedProgram): string | undefined {
  const wrapper = statements.flatMap((statement) => wrapperIn(statement) ?? []);
  const [only, ...others] = wrapper;
  if (!only || others.length > 0) return undefined;
  const { statement: declared, name, body } = only;
  const kept = statements.filter((one) => one !== declared && !startsOrShows(one, name));
  const started = statements.findIndex((one) => one === declared && name === undefined);
  const start =
    name === undefined ? started : statements.findIndex((one) => startsOrShows(one, name));
  const isAlone = start < 0 && kept.length === 0;
  const isKeptBefore = kept.every((one) => statements.indexOf(one) < start);
  if (!isAlone && !(start >= 0 && isKeptBefore)) return undefined;
  const { text } = source;
  const inner = text.slice(body.getStart(source) + 1, body.end - 1);
  const before = kept.map((one) => text.slice(one.pos, one.end));
  return trimmed([...before, inner].join("\n"));
}

interface Wrapper {
  statement: ts.Statement;
  /** Undefined if the function is called immediately. */
  name: string | undefined;
  body: ts.Block;
}

function wrapperIn(statement: ts.Statement): Wrapper | undefined {
  if (ts.isFunctionDeclaration(statement)) {
    const { name, body } = statement;
    return body && isPlain(statement) ? { statement, name: name?.text ?? "", body } : undefined;
  }
  if (ts.isVariableStatement(statement)) {
    const [only, ...others] = statement.declarationList.declarations;
    const body = others.length === 0 && only?.initializer && bodyOf(only.initializer);
    if (!only || !body || !ts.isIdentifier(only.name)) return undefined;
    return { statement, name: only.name.text, body };
  }
  const started = startedBy(statement);
  const body = started && bodyOf(started);
  return body ? { statement, name: undefined, body } : undefined;
}

function bodyOf(node: ts.Expression): ts.Block | undefined {
  const bare = bareExpression(node);
  const isFunction = ts.isArrowFunction(bare) || ts.isFunctionExpression(bare);
  if (!isFunction || !isPlain(bare)) return undefined;
  return ts.isBlock(bare.body) ? bare.body : undefined;
}

function isPlain(node: ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction): boolean {
  return node.parameters.length === 0 && !node.asteriskToken;
}

/** Whether a statement only calls the function or shows its result. */
function startsOrShows(statement: ts.Statement, name: string | undefined): boolean {
  const started = startedBy(statement);
  return name !== undefined && started !== undefined && ts.isIdentifier(started)
    ? started.text === name
    : false;
}

/** What a statement calls without arguments; its result may be used further. */
function startedBy(statement: ts.Statement): ts.Expression | undefined {
  const isExpression = ts.isExpressionStatement(statement) || ts.isReturnStatement(statement);
  if (!isExpression || !statement.expression) return undefined;
  let node = bareExpression(statement.expression);
  while (ts.isVoidExpression(node) || isFollowed(node) || isLog(node)) {
    node = bareExpression(innerOf(node));
  }
  if (!ts.isCallExpression(node) || node.arguments.length > 0) return undefined;
  return bareExpression(node.expression);
}

/** `main().then(…)`, and the like. */
function isFollowed(node: ts.Expression): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return ["then", "catch", "finally"].includes(node.expression.name.text);
}

/** `console.log(await main())`. */
function isLog(node: ts.Expression): node is ts.CallExpression {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression: of } = node.expression;
  return ts.isIdentifier(of) && of.text === "console" && node.arguments.length === 1;
}

function innerOf(node: ts.VoidExpression | ts.CallExpression): ts.Expression {
  if (ts.isVoidExpression(node)) return node.expression;
  const [shown] = node.arguments;
  if (isLog(node) && shown) return shown;
  return ts.isPropertyAccessExpression(node.expression)
    ? node.expression.expression
    : node.expression;
}
