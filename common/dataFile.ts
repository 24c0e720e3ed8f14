import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { prettifyError, type z } from "zod";
import { decoded } from "./text.js";

/**
 * Reads a JSON file next to the code, in the sources and in the build.
 *
 * @param file `new URL("tasks.json", import.meta.url)`
 * @param form the expected form; the type checker does not see the data
 * @returns the parsed data, with fields in the form's order
 * @throws Error naming the file and each place that does not fit
 * @example readDataFile(new URL("tasks.json", import.meta.url), z.array(taskForm))
 */
export function readDataFile<Form extends z.ZodType>(file: URL, form: Form): z.output<Form> {
  return checked(file, form, dataOf(file));
}

/** Like {@link readDataFile}, for forms that change nothing; keeps the order of fields. */
export function readAsWritten<Form extends z.ZodType>(file: URL, form: Form): z.input<Form> {
  const data = dataOf(file);
  checked(file, form, data);
  return data as z.input<Form>;
}

/**
 * Reads a text file next to the code: lines by the names of their sections, each of which begins with `[name]`. Empty lines
 * do not count.
 */
export function readSections(file: URL): Record<string, string[]> {
  const sections: Record<string, string[]> = {};
  let lines: string[] = [];
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (name === undefined) lines.push(line);
    else {
      lines = [];
      sections[name] = lines;
    }
  }
  return sections;
}

/** The text of a file that somebody has written, without a byte order mark, which JSON and `.env` would stumble over. */
export function fileText(file: string): string {
  return decoded(readFileSync(file));
}

function dataOf(file: URL): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

function checked<Form extends z.ZodType>(file: URL, form: Form, data: unknown) {
  const parsed = form.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`${fileURLToPath(file)}: ${prettifyError(parsed.error)}`);
}
