import type { Program } from "../program.js";
import type { ProgramInputs, Progress } from "../progress.js";
import { glimpse, plainOf, toldText } from "./plain.js";
import { Fault, Thrown, Undecided } from "./signals.js";
import { runAll } from "./statements.js";
import { textFrom } from "./textMethods.js";
import {
  isUndefined,
  originsIn,
  ready,
  type Scope,
  UNDEFINED,
  type Value,
  valueOf,
} from "./values.js";
import { PROGRAM_LIMITS, type ProgramLimits, Visit } from "./visit.js";

/**
 * Follows a program from the start as far as the known outcomes allow, and says what to do next. It does
 * nothing itself: the caller makes the calls and asks again with their outcomes.
 */
export function interpretProgram(
  program: Program,
  inputs: ProgramInputs,
  limits: Partial<ProgramLimits> = {},
): Progress {
  const visit = new Visit(inputs, { ...PROGRAM_LIMITS, ...limits });
  const ending = follow(program, visit);
  const { writes, complete, counts } = visit;
  return { writes, complete, counts, ...nextOf(ending, visit) };
}

type Ending = Pick<Progress, "end" | "fault">;

/** Reads come first; then, before any write, what needs the model or stops the program. */
function nextOf({ end, fault }: Ending, { calls, need, look, open }: Visit) {
  if (fault) return { calls: [], fault };
  if (calls.some(({ tool }) => tool.effects === "read")) return { calls };
  if (need) return { calls: [], need };
  if (look) return { calls: [], look };
  if (calls.length > 0) return { calls };
  if (end && open === 0) return { calls, end };
  throw new Error("The program waits for a call that nobody has planned.");
}

function follow({ body }: Program, visit: Visit): Ending {
  const given = [...(visit.inputs.values ?? [])].map(([name, value]): [string, Value] => [
    name,
    valueOf(value),
  ]);
  const scope: Scope = { names: new Map(given), outer: undefined };
  const lastLine = body.at(-1)?.line ?? 1;
  try {
    const exit = runAll(body, scope, visit);
    const unseen = visit.failures.find(({ error }) => !error.isUsed);
    if (unseen) throw unseen.error;
    const { value = UNDEFINED, line = lastLine } = exit?.kind === "return" ? exit : {};
    const told = isUndefined(value) ? loggedIn(visit) : value;
    if (told) return endOf(told, line, visit);
    // The code after a missing tool is written once it is known what there is.
    if (visit.need) return {};
    return { end: { text: "", value: null, origins: [], failed: false } };
  } catch (error) {
    if (error instanceof Undecided) return {};
    if (error instanceof Thrown) return thrownOut(error, visit);
    if (error instanceof Fault) return faultOf(error, lastLine, visit);
    // The reader bounds nesting, but values may still nest deep enough to exhaust the stack.
    if (error instanceof RangeError) {
      return {
        fault: {
          line: lastLine,
          problem: "The program is nested too deep: recursion has to end sooner.",
        },
      };
    }
    throw error;
  }
}

/** How a program ends that throws: at a call that has failed, or with its own reason. */
function thrownOut({ value, line, tool }: Thrown, visit: Visit): Ending {
  const message = value.kind === "object" && value.error !== undefined && value.fields.message;
  const text = toldText(message || value, visit);
  if (tool !== undefined) return { fault: { line, problem: `${tool} has failed: ${text}` } };
  return { end: { text, value: text, origins: [...originsIn(value)], failed: true } };
}

/**
 * Checks the answer before the last writes are made. A program that returns nothing or an empty text is still
 * followed to its end, and a model words what it found.
 */
function endOf(returned: Value, line: number, visit: Visit): Ending {
  if (returned.kind === "pending") return {};
  const value = ready(returned);
  if (value.kind === "nothing")
    return { end: { text: "", value: null, origins: [...value.origins], failed: false } };
  try {
    const { data, origins } = plainOf(value, visit, { isTold: true });
    const text = toldText(value, visit);
    return { end: { text, value: data, origins, failed: false } };
  } catch (error) {
    if (error instanceof Undecided) return {};
    if (error instanceof Fault) return faultOf(error, line, visit);
    throw error;
  }
}

/** What a program has logged, line by line; undefined if that is nothing. */
function loggedIn(visit: Visit): Value | undefined {
  const { logs } = visit;
  const plain = logs.filter(({ isError }) => !isError);
  const shown = (plain.length > 0 ? plain : logs).map(({ value }) => value);
  const lines = shown.flatMap((value) => ["\n", value]).slice(1);
  return shown.length > 1 ? textFrom(lines, visit) : shown[0];
}

function faultOf({ message, line, value }: Fault, lastLine: number, visit: Visit): Ending {
  const shown = glimpse(value, visit);
  return {
    fault: {
      line: line ?? lastLine,
      problem: message,
      ...(shown !== undefined && { value: shown }),
    },
  };
}
