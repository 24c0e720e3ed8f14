import { inspect } from "node:util";
import { CommanderError } from "commander";
import { TulipgraphError, oneLine, messageOf } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import { printHanging, shorten, widthBeside } from "./terminal.js";

const GAP = "  ";

/** Prints a value as JSON, on one line when stdout is not a terminal. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`);
}

/** A share with three digits and no leading zero, as tables of retrieval show it. */
export function shareText(share: number): string {
  return Number.isNaN(share) ? "-" : share.toFixed(3).replace(/^(-?)0/, "$1");
}

/** Prints rows with aligned columns. Text too long for the terminal is wrapped or cut in the last column. */
export function printTable(options: {
  rows: readonly (readonly string[])[];
  last?: "wrap" | "cut";
}): void {
  const { rows, last = "wrap" } = options;
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
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
