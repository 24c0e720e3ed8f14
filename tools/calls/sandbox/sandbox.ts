import { type ProgramCall, type SandboxLimits, ToolError } from "../functions/workerMessages.js";
import { oneLine } from "../../../common/errors.js";

/** A program to run in the sandbox: one call of its function. */
export interface SandboxCall {
  /** JavaScript that defines the function as a global (`ToolSource.program`). */
  program: string;
  functionName: string;
  /** In the order of the parameters: JSON data, undefined if missing. */
  args: readonly unknown[];
  signal: AbortSignal;
  /** Called when the program starts, because starting or awaiting a process is not its own time. */
  onStarted?: () => void;
  /** Answers `callTool(name, args)` in the program; if absent, every such call fails. */
  callTool?: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

export const DEFAULT_LIMITS: SandboxLimits = {
  computeMs: 5_000,
  memoryMb: 64,
  resultChars: 1_000_000,
};

/** A program exceeded a limit or broke a rule. This is not an error of its function, so no example can expect it. */
export class SandboxLimit extends ToolError {}

const ERROR_CHARS = 1_000;

const LINE_SHOWN = 80;

type Failure = ProgramEnd & { type: "failed" };

/** Says in one line, for the model, why its program has no result. */
export function failureOf(failure: Failure, call: ProgramCall): ToolError {
  const { kind, text = "" } = failure;
  if (kind !== "threw") return limitError(kind, call.limits, text);
  const line = errorLine(text);
  return new ToolError(errorLine(`${line}${placeOf(failure, call)}`));
}

/** @param text details from the engine or the program */
export function limitError(
  kind: Exclude<FailureKind, "threw">,
  { computeMs, memoryMb, resultChars }: SandboxLimits,
  text = "",
): SandboxLimit {
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

/** The outcome of a called tool; `json` is absent if there was no result. */
export type ToolAnswer =
  | { id: number; ok: true; json?: string }
  | { id: number; ok: false; error: string };

export type FailureKind =
  | "threw"
  /** Its text does not run or does not define the function. */
  | "program"
  /** The engine threw: memory, stack, or a too long text. */
  | "engine"
  | "time"
  | "memory"
  /** Nothing can settle its promise any more. */
  | "pending"
  | "result"
  | "form";

export type ProgramEnd =
  | { type: "done"; json?: string }
  /** `text` says more and comes from the program; `stack` is the engine's, or what the program made of it. */
  | { type: "failed"; kind: FailureKind; text?: string; stack?: string };
