import { oneLine } from "../../../common/errors.js";
import { ToolError } from "../functions/workerCall.js";
import { SandboxLimit, type SandboxLimits } from "./sandbox.js";
import type { FailureKind, ProgramCall, ProgramEnd } from "./sandboxMessages.js";

/** Most characters shown of a program's error. */
const ERROR_CHARS = 1_000;

/** Most characters shown of the line that caused an error. */
const LINE_SHOWN = 80;

type Failure = ProgramEnd & { type: "failed" };

/** Says in one line, for the model, why its program has no result. */
export function failureOf({ failure, call }: { failure: Failure; call: ProgramCall }): ToolError {
  const { kind, text = "" } = failure;
  if (kind !== "threw") return limitError({ kind, text, limits: call.limits });
  const line = errorLine(text);
  return new ToolError(errorLine(`${line}${placeOf(failure, call)}`));
}

/** @param request.text details from the engine or the program */
export function limitError({
  kind,
  text = "",
  limits: { computeMs, memoryMb, resultChars },
}: {
  kind: Exclude<FailureKind, "threw">;
  text?: string;
  limits: SandboxLimits;
}): SandboxLimit {
  const memory = `it needed more than ${memoryMb} MB of memory and was ended`;
  const depth =
    "the program was ended: its calls are nested too deep; it may call itself without end";
  const ended = `the program was ended: ${text}`;
  const words = {
    program: `the program cannot be run: ${text}`,
    engine: text.includes("stack") ? depth : text.includes("memory") ? memory : ended,
    time: `it computed for more than ${computeMs} ms and was ended; it may loop without end`,
    memory,
    pending: "its promise never settles: nothing is left that it could wait for",
    result: `its result has more than ${resultChars} characters as JSON; give back less`,
    form: text,
  };
  return new SandboxLimit(errorLine(words[kind]));
}

/** One line of limited length, even if the program tampered with its error. */
export function errorLine(text: string): string {
  const line = oneLine(text) || "an error without a message";
  return line.length > ERROR_CHARS ? `${line.slice(0, ERROR_CHARS - 1)}…` : line;
}

/**
 * The source line as text, because line numbers would refer to the transpiled program. Deliberate throws
 * explain themselves.
 */
function placeOf(failure: Failure, call: ProgramCall): string {
  const [, number] = /\(program\.js:(\d{1,6})/.exec(failure.stack ?? "") ?? [];
  const line = number === undefined ? undefined : call.program.split("\n")[Number(number) - 1];
  const shown = line?.trim().slice(0, LINE_SHOWN);
  return shown && !shown.includes("throw") ? ` (at: ${shown})` : "";
}
