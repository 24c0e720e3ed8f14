import type { Program } from "../../../plans/language/program.js";
import type {
  Outcome,
  PlannedCall,
  ProgramTool,
  Progress,
} from "../../../plans/language/progress.js";
import { readProgram } from "../../../plans/language/readProgram.js";
import { interpretProgram } from "../../../plans/language/run/interpretProgram.js";
import type { ProgramLimits } from "../../../plans/language/run/visit.js";

export const TODAY = "2026-03-10";

const READS = ["get", "list", "users", "who", "rate", "add"];
const WRITES = ["close", "send", "create", "notify"];

export const tools: ProgramTool[] = [
  ...READS.map((name) => ({ name, id: `t.${name}`, effects: "read" as const })),
  ...WRITES.map((name) => ({ name, id: `t.${name}`, effects: "write" as const })),
];

export function programOf(code: string): Program {
  const read = readProgram(code);
  if ("issues" in read) throw new Error(read.issues.map(({ problem }) => problem).join("; "));
  return read.program;
}

/** What a tool answers: its result, or an error that is thrown. */
export type Answers = Record<string, (args: Record<string, unknown>) => unknown>;

interface Run {
  answers?: Answers;
  looks?: (value: unknown) => string;
  limits?: Partial<ProgramLimits>;
}

/** What is known after some outcomes. */
export function visit(
  code: string,
  outcomes: Record<string, Outcome> = {},
  { limits, looks = {} }: { limits?: Partial<ProgramLimits>; looks?: Record<string, string> } = {},
): Progress {
  return interpretProgram(
    programOf(code),
    {
      outcomes: new Map(Object.entries(outcomes)),
      looks: new Map(Object.entries(looks)),
      today: TODAY,
      tools,
    },
    limits,
  );
}

export interface Finished {
  /** How it ended. */
  last: Progress;
  /** What was called, as it was made: at once what stands in one list. */
  rounds: PlannedCall[][];
}

/** Goes on until a program has ended. */
export function finish(code: string, { answers = {}, looks, limits }: Run = {}): Finished {
  const program = programOf(code);
  const outcomes = new Map<string, Outcome>();
  const said = new Map<string, string>();
  const rounds: PlannedCall[][] = [];
  for (;;) {
    const last = interpretProgram(program, { outcomes, looks: said, today: TODAY, tools }, limits);
    if (last.look && looks) said.set(last.look.place, looks(last.look.value));
    else if (last.calls.length === 0) return { last, rounds };
    else rounds.push(last.calls);
    for (const call of last.calls) {
      if (outcomes.has(call.place)) throw new Error(`${call.place} is called twice.`);
      outcomes.set(call.place, outcomeOf(call, answers));
    }
  }
}

export function outcomeOf({ tool, args }: PlannedCall, answers: Answers): Outcome {
  try {
    return { result: answers[tool.name]?.(args) ?? null };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** What a program without calls answers. */
export function answerOf(code: string): string {
  const { end, fault } = visit(code);
  return end?.text ?? `fault: ${fault?.line}: ${fault?.problem}`;
}
