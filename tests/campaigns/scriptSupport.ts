import { parseArgs } from "node:util";

type Option = string | number | boolean | undefined;

/** The type of an option: that of its default, or text if it has none. */
type Given<Default extends Option> = Default extends string
  ? string
  : Default extends number
    ? number
    : Default extends boolean
      ? boolean
      : string | undefined;

/** The options of the script, or their defaults. */
export function optionsOf<Defaults extends Record<string, Option>>(
  defaults: Defaults,
): { [Name in keyof Defaults]: Given<Defaults[Name]> } {
  const kinds = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === "boolean" ? ("boolean" as const) : ("string" as const);
    return [name, { type }] as const;
  });
  const { values } = parseArgs({ options: Object.fromEntries(kinds) });
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof defaults[name] === "number" ? Number(value) : value,
  ]);
  return { ...defaults, ...Object.fromEntries(given) } as {
    [Name in keyof Defaults]: Given<Defaults[Name]>;
  };
}

/** Prints a line. */
export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a row of a table in Markdown. */
export function writeRow(cells: readonly (string | number | undefined)[]): void {
  write(`| ${cells.join(" | ")} |`);
}

/** Prints the head of a table in Markdown. */
export function writeHead(columns: readonly string[]): void {
  writeRow(columns);
  writeRow(columns.map(() => "---"));
}
