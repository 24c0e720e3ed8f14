import ts from "typescript";

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
  const scanner = scannerAt(text, start);
  const value = readValue(scanner);
  return { value, end: scanner.getTokenEnd() };
}

/**
 * Reads the arguments of a call, which must be literals.
 *
 * @param start position of the opening parenthesis
 * @throws NotALiteral
 */
export function readArguments(text: string, start: number): LiteralReading<unknown[]> {
  const scanner = scannerAt(text, start);
  const value = readList(scanner, ts.SyntaxKind.CloseParenToken);
  return { value, end: scanner.getTokenEnd() };
}

/** A scanner whose current token is the first one after `start`. */
function scannerAt(text: string, start: number): ts.Scanner {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2022, true);
  scanner.setText(text, start);
  scanner.scan();
  return scanner;
}

const WORDS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  undefined,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
};

/** Reads from the current token and leaves the scanner at the value's last one. */
function readValue(scanner: ts.Scanner): unknown {
  const text = scanner.getTokenText();
  switch (scanner.getToken()) {
    case ts.SyntaxKind.MinusToken:
      return -readNumber(scanner);
    case ts.SyntaxKind.PlusToken:
      return readNumber(scanner);
    case ts.SyntaxKind.NumericLiteral:
      return Number(scanner.getTokenValue());
    case ts.SyntaxKind.StringLiteral:
    case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
      if (scanner.isUnterminated()) throw new NotALiteral(text);
      return scanner.getTokenValue();
    case ts.SyntaxKind.OpenBracketToken:
      // As in JSON, `undefined` in an array is null.
      return readList(scanner, ts.SyntaxKind.CloseBracketToken).map((item) => item ?? null);
    case ts.SyntaxKind.OpenBraceToken:
      return readObject(scanner);
    default:
      if (Object.hasOwn(WORDS, text)) return WORDS[text];
      throw notALiteral(scanner);
  }
}

function readNumber(scanner: ts.Scanner): number {
  scanner.scan();
  const value = readValue(scanner);
  if (typeof value === "number") return value;
  throw notALiteral(scanner);
}

function readList(scanner: ts.Scanner, close: ts.SyntaxKind): unknown[] {
  const items: unknown[] = [];
  scanner.scan();
  while (scanner.getToken() !== close) {
    items.push(readValue(scanner));
    commaOr(scanner, close);
  }
  return items;
}

function readObject(scanner: ts.Scanner): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  const close = ts.SyntaxKind.CloseBraceToken;
  scanner.scan();
  while (scanner.getToken() !== close) {
    const key = readKey(scanner);
    if (scanner.scan() !== ts.SyntaxKind.ColonToken) throw notALiteral(scanner);
    scanner.scan();
    const value = readValue(scanner);
    if (value !== undefined) entries.push([key, value]);
    commaOr(scanner, close);
  }
  return Object.fromEntries(entries);
}

function readKey(scanner: ts.Scanner): string {
  const token = scanner.getToken();
  const isKey =
    token === ts.SyntaxKind.StringLiteral ||
    token === ts.SyntaxKind.NumericLiteral ||
    token >= ts.SyntaxKind.Identifier;
  if (!isKey || scanner.isUnterminated()) throw notALiteral(scanner);
  return scanner.getTokenValue();
}

/** Moves to the token after a comma, or to the closing one. */
function commaOr(scanner: ts.Scanner, close: ts.SyntaxKind): void {
  const token = scanner.scan();
  if (token === ts.SyntaxKind.CommaToken) scanner.scan();
  else if (token !== close) throw notALiteral(scanner);
}

/** Shows the rest of the line from the current token on. */
function notALiteral(scanner: ts.Scanner): NotALiteral {
  const rest = scanner.getText().slice(scanner.getTokenStart());
  const line = rest.split("\n", 1)[0]?.trim() ?? "";
  return new NotALiteral(line === "" ? "the end of the example" : line.slice(0, 80));
}
