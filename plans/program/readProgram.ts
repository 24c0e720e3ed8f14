import { createHash } from "node:crypto";
import { LONGEST_MESSAGE, counted } from "../../common/bounds.js";
import type { Program, ProgramIssue } from "./program.js";
import { type ParsedProgram, parseProgram } from "./parseProgram.js";
import { programCodes } from "./programCode.js";
import { readEnd } from "./readEnd.js";
import type { Local } from "./readNames.js";
import type { ProgramReading } from "./readReading.js";
import { readBlock } from "./readStatements.js";
import { unwrapProgram } from "./unwrapProgram.js";

/** A program as it was understood, or everything that keeps it from being one. */
export type ReadProgram = { program: Program; repairs: string[] } | { issues: ProgramIssue[] };

/** What was read last: a run reads its program at each of its stages. */
const recent = new Map<string, ReadProgram>();

/** Replies whose reading is kept; the one asked for longest ago makes place for a new one. */
const READINGS_KEPT = 20;

/**
 * The program in a model's reply. It is parsed, and never run: what is not in the language is refused with its
 * line and with what to write instead, and what is clear in spite of its form is read as meant. Nobody may
 * change what is given: whoever asks again gets the same.
 *
 * @param options.functions parameters of the functions on offer by name, in their order: with them arguments
 * by position are given their names
 * @param options.names what is given to the program under names
 */
export function readProgram(
  text: string,
  { functions, names = [] }: Partial<Pick<ProgramText, "functions" | "names">> = {},
): ReadProgram {
  if (text.length > LONGEST_MESSAGE) {
    const problem = `the reply has ${counted(text.length)} characters, and ${counted(LONGEST_MESSAGE)} are the most`;
    return { issues: [{ kind: "bound", problem }] };
  }
  const asked = JSON.stringify([text, functions && [...functions], names]);
  const key = createHash("sha256").update(asked).digest("base64");
  const read = recent.get(key) ?? readReply({ text, functions, names });
  recent.delete(key);
  recent.set(key, read);
  const [oldest] = recent.keys();
  if (recent.size > READINGS_KEPT && oldest !== undefined) recent.delete(oldest);
  return read;
}

function readReply(options: Omit<ProgramText, "code"> & { text: string }): ReadProgram {
  const { text, functions, names } = options;
  const reads: ReadProgram[] = [];
  for (const code of programCodes(text)) {
    const read = readCode({ code, functions, names });
    // What calls nothing is seldom all of it: a model may have shown its program in parts.
    if ("program" in read && read.program.calls.length > 0) return read;
    reads.push(read);
  }
  return reads.find((read) => "program" in read) ?? reads[0] ?? { issues: [] };
}

interface ProgramText {
  code: string;
  functions: ReadonlyMap<string, readonly string[]> | undefined;
  names: readonly string[];
}

function readCode(text: ProgramText): ReadProgram {
  try {
    return readWrapped({ ...text, wrappers: 0 });
  } catch (error) {
    // Brackets in brackets without end exhaust the stack of any parser.
    if (error instanceof RangeError) return { issues: [TOO_DEEP] };
    throw error;
  }
}

const TOO_DEEP: ProgramIssue = {
  kind: "bound",
  problem: "the code is nested too deeply; give parts of it to constants",
};

/** The program inside of the functions that are around it, which are few in what is meant as one. */
function readWrapped(text: ProgramText & { wrappers: number }): ReadProgram {
  const { code, wrappers } = text;
  const parsed = parseProgram(code);
  if ("issues" in parsed) return { issues: parsed.issues.slice(0, MOST_ISSUES) };
  const inner = wrappers < MOST_WRAPPERS ? unwrapProgram(parsed) : undefined;
  if (inner === undefined) return readParsed({ ...parsed, ...text });
  return readWrapped({ ...text, code: inner, wrappers: wrappers + 1 });
}

const MOST_WRAPPERS = 3;

/** What a name is that stands nowhere in the code itself. */
const GIVEN: Local = { kind: "const", line: 0, isDeclared: true };

/** More is no help to whoever writes the program anew. */
const MOST_ISSUES = 10;

function readParsed(text: ParsedProgram & ProgramText): ReadProgram {
  const { source, statements, code, functions, names } = text;
  const reading: ProgramReading = {
    source,
    functions,
    calls: [],
    sites: 0,
    issues: [],
    repairs: [],
    logged: new Map(),
    scope: { locals: new Map(names.map((name) => [name, GIVEN])), outer: undefined },
    depth: 0,
    within: { body: "program", isLoop: false },
  };
  const read = readBlock(statements, reading);
  // Whether it ends is told where all else is right: what was refused is often the end.
  const body = reading.issues.length === 0 ? readEnd(read, reading) : read;
  const { calls, issues, repairs } = reading;
  if (issues.length > 0) return { issues: issues.slice(0, MOST_ISSUES) };
  return { program: { body, code, calls }, repairs };
}
