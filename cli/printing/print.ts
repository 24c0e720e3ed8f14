import { inspect, stripVTControlCharacters, styleText } from "node:util";
import { CommanderError, Help } from "commander";
import { TulipgraphError, oneLine, messageOf } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import type { Line } from "../../nodes/kit/stage.js";

const GAP = "  ";

/** Prints a value as JSON, on one line when stdout is not a terminal. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`);
}

/** Prints a line of a result. */
export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line about the work on stderr. */
export function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Asks a person at the terminal; anything but a yes is a no. */
export async function saysYes(question: string): Promise<boolean> {
  const { createInterface } = await import("node:readline/promises");
  const { stdin: input, stderr: output } = process;
  // Else the reader would move the cursor by codes of its own, which are shown and not obeyed.
  const reader = createInterface({ input, output, terminal: false });
  const answer = await reader.question(`${question} [y/N] `).finally(() => reader.close());
  return /^y(?:es)?$/i.test(answer.trim());
}

/** A time to the minute, in UTC. */
export function minuteText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}

/** A share with three digits and no leading zero, as tables of retrieval show it. */
export function shareText(share: number): string {
  return Number.isNaN(share) ? "-" : share.toFixed(3).replace(/^(-?)0/, "$1");
}

type Rows = readonly (readonly string[])[];

/**
 * Prints rows with aligned columns. Text too long for the terminal is wrapped or cut in the last column.
 *
 * @param options.keys how many columns say what a row is about, if the first row is a head: it is broken between its words if
 *   the table is too wide otherwise, and columns that still have no room follow below, behind these
 */
export function printTable(options: { rows: Rows; keys?: number; last?: "wrap" | "cut" }): void {
  const { keys, last = "wrap" } = options;
  const rows = keys === undefined ? options.rows : withFittingHead(options.rows);
  const widths = widthsOf(rows);
  const fitting = widths.findLastIndex((_, at) => isFitting(widths.slice(0, at + 1))) + 1;
  if (keys !== undefined && fitting > keys && fitting < widths.length) {
    printTable({ rows: options.rows.map((row) => row.slice(0, fitting)), keys });
    printLine("");
    const others = options.rows.map((row) => [...row.slice(0, keys), ...row.slice(fitting)]);
    printTable({ rows: others, keys });
    return;
  }
  for (const row of rows) {
    const label = row
      .slice(0, -1)
      .map((cell, column) => cell.padEnd(widths[column] ?? 0) + GAP)
      .join("");
    const text = row.at(-1) ?? "";
    const width = widthBeside(label.length);
    printHanging({ label, text: last === "cut" ? shorten({ text, width }) : text });
  }
}

function withFittingHead(all: Rows): Rows {
  const [head = [], ...rows] = all;
  if (isFitting(widthsOf(all))) return all;
  const broken = head.map((text, column) => {
    const others = rows.map((row) => row[column] ?? "");
    return wrapText({ text, width: longest([...text.split(" "), ...others]) });
  });
  const lines = Array.from({ length: Math.max(...broken.map(({ length }) => length)) }, (_, at) =>
    broken.map((text) => text[at] ?? ""),
  );
  return [...lines, ...rows];
}

/** Whether columns of these widths stand beside each other on the terminal. */
function isFitting(widths: readonly number[]): boolean {
  const all = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  return all <= (terminalWidth() ?? Infinity);
}

function widthsOf(rows: Rows): number[] {
  return (rows[0] ?? []).map((_cell, column) => longest(rows.map((row) => row[column] ?? "")));
}

function longest(texts: readonly string[]): number {
  return Math.max(...texts.map(({ length }) => length));
}

/** An error in one line, or with `debug` in full. Keys and passwords are left out. */
export function errorText({ error, debug }: { error: unknown; debug: boolean }): string {
  return withoutSecrets(debug ? inspect(error) : `error: ${describeError(error)}`);
}

/** An error for programs: its code, which never changes, and its message. */
export function errorObject(error: unknown): { error: { code: string; message: string } } {
  const message = withoutSecrets(oneLine(messageOf(error)).replace(/^error: /, ""));
  if (error instanceof TulipgraphError) return { error: { code: error.code, message } };
  return { error: { code: error instanceof CommanderError ? "USAGE" : "FAILED", message } };
}

/** The message on one line; for an error that we did not write, it points to `--debug`. */
export function describeError(error: unknown): string {
  const message = oneLine(messageOf(error));
  return error instanceof TulipgraphError ? message : `${message} (--debug shows more)`;
}

/** With fewer columns than this left, text is not wrapped: it would become a thin column. */
const NARROWEST = 20;

/** Styles a text if the terminal has styles and NO_COLOR does not forbid them. */
export function styled(style: Style, text: string): string {
  const { stdout } = process;
  return stdout.isTTY && stdout.hasColors() ? styleText(style, text) : text;
}

/** For what the eye should find first. */
export function bold(text: string): string {
  return styled("bold", text);
}

/** For what may be skipped. */
export function dim(text: string): string {
  return styled("dim", text);
}

/** A line of a stage, with its parts styled. */
export function lineText(line: Line): string {
  if (typeof line === "string") return line;
  return line
    .map((part) => {
      if (typeof part === "string") return part;
      return "strong" in part ? bold(part.strong) : dim(part.aside);
    })
    .join("");
}

/** Columns of the terminal; undefined if stdout is a file or a pipe, which gets whole lines. */
export function terminalWidth(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns : undefined;
}

function shown(text: string): string {
  return visibleControls(text, { styles: process.stdout.isTTY });
}

/** Prints a label followed by a text. On a terminal the text is wrapped with a hanging indent, or stands below its label. */
export function printHanging(given: { label?: string; text: string }): void {
  // Before wrapping, because control characters that are written out take more columns.
  const label = shown(given.label ?? "");
  const text = shown(given.text);
  const indent = visibleLength(label);
  const width = widthBeside(indent);
  if (width === undefined && indent > GAP.length && !isFitting([visibleLength(label + text)])) {
    printLine(label.trimEnd());
    printHanging({ label: GAP, text });
    return;
  }
  const lines = wrapText({ text, width });
  for (const [index, line] of lines.entries()) {
    const start = index === 0 ? label : " ".repeat(indent);
    process.stdout.write(`${`${start}${line}`.trimEnd()}\n`);
  }
}

/** The columns left beside an indent; undefined for no limit. */
export function widthBeside(indent: number): number | undefined {
  const width = terminalWidth();
  return width !== undefined && width - indent >= NARROWEST ? width - indent : undefined;
}

const HELP = Object.assign(new Help(), { minWidthToWrap: 1 });

/** Breaks a text into lines of at most `width` columns, at spaces; a word that is longer stays whole. */
export function wrapText({ text, width }: { text: string; width?: number }): string[] {
  return (width === undefined ? text : HELP.boxWrap(text, width)).split(/\r?\n/);
}

/** A text cut to the given width, ending with an ellipsis. */
export function shorten({ text, width }: { text: string; width?: number }): string {
  return width === undefined || text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}

function visibleLength(text: string): number {
  return stripVTControlCharacters(text).length;
}

const STYLES = ["bold", "dim", "cyan"] as const;
type Style = (typeof STYLES)[number];

const OWN_CODES = STYLES.flatMap((style) =>
  (inspect.colors[style] ?? []).map((code) => `\u001b[${code}m`),
);

/**
 * Characters that a terminal obeys instead of showing, or that change the direction of the text after them. Line ends
 * and tabs are harmless.
 */
const CONTROLS =
  /\r(?!\n)|(?![\n\r\t])\p{Cc}|[\u{61c}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2066}-\u{2069}]/gu;

/**
 * A text with its control characters written out as in JSON (`\\u001b`), so that the output of a model, a tool or a
 * file cannot colour, clear or retitle the terminal, or hide parts of itself. JSON keeps its value.
 *
 * @param options.styles whether to keep the styles of this program
 */
function visibleControls(text: string, { styles }: { styles: boolean }): string {
  return text.replaceAll(CONTROLS, (control, at: number) => {
    const isOwn = styles && OWN_CODES.some((code) => text.startsWith(code, at));
    return isOwn ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/**
 * Until undone, this process writes no control characters to a terminal except its own styles.
 */
export function guardOutput(): { undo: () => void } {
  const undone = [process.stdout, process.stderr].map(guardStream);
  return { undo: () => undone.forEach((undo) => undo()) };
}

function guardStream(stream: NodeJS.WriteStream): () => void {
  const write = stream.write.bind(stream);
  const free = write as (...args: unknown[]) => boolean;
  stream.write = (chunk: unknown, ...more: unknown[]) => {
    const text = typeof chunk === "string";
    return free(text ? visibleControls(chunk, { styles: stream.isTTY }) : chunk, ...more);
  };
  return () => {
    stream.write = write;
  };
}
