import type { Expression, Statement } from "../program.js";
import type { ProgramReading } from "./reading.js";

/**
 * Makes every path end with an answer. A log at the end, or an expression without calls, counts as the answer;
 * other logs are dropped.
 */
export function readEnd(body: Statement[], reading: ProgramReading): Statement[] {
  const answered = withAnswer(body, reading);
  const [last] = answered.slice(-1);
  if (!ends(answered)) {
    reading.issues.push({
      line: last?.line ?? 1,
      kind: "language",
      problem:
        "the program can end without an answer; end with return and a template string that answers the request",
    });
  }
  return withoutLogs(answered, reading);
}

function withAnswer(body: Statement[], reading: ProgramReading): Statement[] {
  const answered = withLogsReturned(body, reading);
  const last = answered.at(-1);
  if (last?.kind !== "do" || reading.logged.has(last) || doesSomething(last.value)) return answered;
  // `true` alone is a guess at the answer, not a program.
  if (last.value.kind === "literal" && typeof last.value.value !== "string") return answered;
  return [...answered.slice(0, -1), returned(last.line, last.value, reading)];
}

/** Returns logs that nothing follows, in any branch. */
function withLogsReturned(body: Statement[], reading: ProgramReading): Statement[] {
  const last = body.at(-1);
  if (!last) return body;
  return [...body.slice(0, -1), withLogReturned(last, reading)];
}

function withLogReturned(last: Statement, reading: ProgramReading): Statement {
  const inner = (body: Statement[]): Statement[] => withLogsReturned(body, reading);
  if (last.kind === "do" && reading.logged.has(last)) {
    return returned(last.line, last.value, reading);
  }
  if (last.kind === "block") return { ...last, body: inner(last.body) };
  if (last.kind === "if") {
    return { ...last, then: inner(last.then), otherwise: inner(last.otherwise) };
  }
  if (last.kind !== "try") return last;
  return { ...last, body: inner(last.body), rescue: inner(last.rescue) };
}

function returned(line: number, value: Expression, { repairs }: ProgramReading): Statement {
  repairs.push(`line ${line}: the last value is read as what is returned`);
  return { line, kind: "return", value };
}

function withoutLogs(body: Statement[], reading: ProgramReading): Statement[] {
  const inner = (statements: Statement[]): Statement[] => withoutLogs(statements, reading);
  return body.flatMap((one): Statement[] => {
    if (one.kind === "do") return reading.logged.get(one)?.hasCalls === false ? [] : [one];
    if (one.kind === "block" || one.kind === "each") return [{ ...one, body: inner(one.body) }];
    if (one.kind === "if") {
      return [{ ...one, then: inner(one.then), otherwise: inner(one.otherwise) }];
    }
    if (one.kind !== "try") return [one];
    return [{ ...one, body: inner(one.body), rescue: inner(one.rescue) }];
  });
}

/** Whether every path returns, throws, or says what it needs. */
function ends(body: Statement[]): boolean {
  return body.some((one) => {
    if (one.kind === "return" || one.kind === "throw") return true;
    if (one.kind === "do" || one.kind === "declare") return one.value.kind === "need";
    if (one.kind === "block") return ends(one.body);
    if (one.kind === "if") return ends(one.then) && ends(one.otherwise);
    return one.kind === "try" && ends(one.body) && ends(one.rescue);
  });
}

/** Whether an expression calls a tool instead of just stating something. */
function doesSomething(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if ("site" in value) return true;
  return Object.values(value).some(doesSomething);
}
