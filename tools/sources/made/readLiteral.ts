import ts from "typescript";
import { type Literal, literalIn } from "../functions/defaults.js";

/** Something else was found where a literal was expected. */
export class NotALiteral extends Error {
  /** @param found the text found instead */
  constructor(readonly found: string) {
    super(`${found} is not a literal`);
  }
}

/** A value read from a text, and where it ends. */
interface LiteralReading<Value> {
  value: Value;
  end: number;
}

/**
 * Reads a JSON-like literal: signed numbers, strings in any quotes, `true`, `false`, `null`, `undefined`, `NaN`,
 * `Infinity`, and arrays and objects of them. Nothing is evaluated.
 *
 * @throws NotALiteral
 */
export function readLiteral(text: string, start: number): LiteralReading<unknown> {
  const { value, end } = listAt(text, { start, before: "[", behind: "]" });
  if (value.length === 0) throw new NotALiteral(END);
  return { value: value[0], end };
}

/**
 * Reads the arguments of a call, which must be literals.
 *
 * @param start position of the opening parenthesis
 * @throws NotALiteral
 */
export function readArguments(text: string, start: number): LiteralReading<unknown[]> {
  return listAt(text, { start, before: "f", behind: "" });
}

/** The values in what stands between two others, which together are a list, or the arguments of a call. */
function listAt(
  text: string,
  { start, before, behind }: { start: number; before: string; behind: string },
): LiteralReading<unknown[]> {
  const end = endOf(text, start);
  const code = `${before}${text.slice(start, end)}${behind}`;
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.ES2022);
  const fail = (position: number): never => {
    const [line = ""] = text.slice(position - before.length + start).split("\n", 1);
    throw new NotALiteral(line.trim().slice(0, 80) || END);
  };
  const [wrong] = ts.transpileModule(code, { reportDiagnostics: true }).diagnostics ?? [];
  const [statement] = source.statements;
  const list = statement && ts.isExpressionStatement(statement) ? statement.expression : undefined;
  if (wrong || !list) return fail(wrong?.start ?? 0);
  const inside = ts.isCallExpression(list)
    ? list.arguments
    : (list as ts.ArrayLiteralExpression).elements;
  const value = inside.map(
    (each) => (literalIn(each, leafIn) ?? fail(each.getStart(source))).value,
  );
  return { value, end };
}

const END = "the end of the example";

/** Where what begins here ends: with its brackets, else with its first word. */
function endOf(text: string, start: number): number {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, true, undefined, text, undefined, start);
  let depth = 0;
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const mark = scanner.getTokenText();
    if (/^[[{(]$/.test(mark)) depth += 1;
    if (/^[\]})]$/.test(mark)) depth -= 1;
    if (depth <= 0 && !/^[+-]$/.test(mark)) break;
  }
  return scanner.getTokenEnd();
}

function leafIn(leaf: ts.Expression): Literal | undefined {
  if (ts.isNumericLiteral(leaf)) return { value: Number(leaf.text) };
  if (ts.isStringLiteralLike(leaf)) return { value: leaf.text };
  if (ts.isIdentifier(leaf) && Object.hasOwn(WORDS, leaf.text)) return { value: WORDS[leaf.text] };
  if (!ts.isPrefixUnaryExpression(leaf)) return undefined;
  const { value } = literalIn(leaf.operand, leafIn) ?? {};
  if (typeof value !== "number") return undefined;
  if (leaf.operator === ts.SyntaxKind.MinusToken) return { value: -value };
  return leaf.operator === ts.SyntaxKind.PlusToken ? { value } : undefined;
}

const WORDS: Record<string, unknown> = {
  undefined,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
};
