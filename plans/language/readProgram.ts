import { createHash } from "node:crypto";
import { LONGEST_MESSAGE, counted } from "../../common/bounds.js";
import type { Program, ProgramIssue } from "./program.js";
import { type ParsedProgram, parseProgram } from "./read/parseProgram.js";
import { programCodes, unwrapProgram } from "./read/programCode.js";
import { readEnd } from "./read/end.js";
import type { Local } from "./read/names.js";
import type { ProgramReading } from "./read/reading.js";
import { readBlock } from "./read/statements.js";

/** A program, or everything that prevents reading it. */
export type ReadProgram = { program: Program; repairs: string[] } | { issues: ProgramIssue[] };

/** Recent readings, because a run reads its program at each stage. */
const recent = new Map<string, ReadProgram>();

/** Readings kept; a new one replaces the least recently used. */
const READINGS_KEPT = 20;

/**
 * The program in a model's reply, parsed but never run. What is not in the language is refused with its line
 * and an alternative; clear deviations are read as meant. Callers share the result and must not change it.
 *
 * @param options.functions parameters of the offered functions by name, in order, to name positional arguments
 * @param options.groups names of all groups of functions, also of those that are not offered
 * @param options.names names of values passed to the program
 * @param options.isPart the code need not end with an answer
 */
export function readProgram(
  text: string,
  { functions, groups = [], names = [], isPart = false }: Partial<Omit<ProgramText, "code">> = {},
): ReadProgram {
  if (text.length > LONGEST_MESSAGE) {
    const problem = `the reply has ${counted(text.length)} characters, and ${counted(LONGEST_MESSAGE)} are the most`;
    return { issues: [{ kind: "bound", problem }] };
  }
  const asked = JSON.stringify([text, functions && [...functions], groups, names, isPart]);
  const key = createHash("sha256").update(asked).digest("base64");
  const read = recent.get(key) ?? readReply({ text, functions, groups, names, isPart });
  recent.delete(key);
  recent.set(key, read);
  const [oldest] = recent.keys();
  if (recent.size > READINGS_KEPT && oldest !== undefined) recent.delete(oldest);
  return read;
}

function readReply(options: Omit<ProgramText, "code"> & { text: string }): ReadProgram {
  const { text, ...given } = options;
  const reads: ReadProgram[] = [];
  for (const code of programCodes(text)) {
    const read = readCode({ code, ...given });
    // A candidate without calls is seldom complete: the model may have split its program.
    if ("program" in read && read.program.calls.length > 0) return read;
    reads.push(read);
  }
  return reads.find((read) => "program" in read) ?? reads[0] ?? { issues: [] };
}

interface ProgramText {
  code: string;
  functions: ReadonlyMap<string, readonly string[]> | undefined;
  groups: readonly string[];
  names: readonly string[];
  isPart: boolean;
}

function readCode(text: ProgramText): ReadProgram {
  try {
    return readWrapped({ ...text, wrappers: 0 });
  } catch (error) {
    // Endlessly nested brackets exhaust the parser's stack.
    if (error instanceof RangeError) return { issues: [TOO_DEEP] };
    throw error;
  }
}

const TOO_DEEP: ProgramIssue = {
  kind: "bound",
  problem: "the code is nested too deeply; give parts of it to constants",
};

/** The program inside its wrapping functions, of which sensible programs have few. */
function readWrapped(text: ProgramText & { wrappers: number }): ReadProgram {
  const { code, wrappers } = text;
  const parsed = parseProgram(code);
  if ("issues" in parsed) return { issues: parsed.issues.slice(0, MOST_ISSUES) };
  const inner = wrappers < MOST_WRAPPERS ? unwrapProgram(parsed) : undefined;
  if (inner === undefined) return readParsed({ ...parsed, ...text });
  return readWrapped({ ...text, code: inner, wrappers: wrappers + 1 });
}

const MOST_WRAPPERS = 3;

/** A name not declared in the code. */
const GIVEN: Local = { kind: "const", line: 0, isDeclared: true };

/** More issues do not help to rewrite the program. */
const MOST_ISSUES = 10;

function readParsed(text: ParsedProgram & ProgramText): ReadProgram {
  const { source, statements, code, functions, groups, names, isPart } = text;
  const reading: ProgramReading = {
    source,
    functions,
    groups: new Set(groups),
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
  // The end is only checked if everything else is right, because refused code is often the end.
  const body = reading.issues.length === 0 && !isPart ? readEnd(read, reading) : read;
  const { calls, issues, repairs } = reading;
  if (issues.length > 0) return { issues: issues.slice(0, MOST_ISSUES) };
  return { program: { body, code, calls }, repairs };
}
