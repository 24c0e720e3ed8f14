import { MOST_CALLS } from "../../../common/bounds.js";
import {
  faultText,
  type Outcome,
  type PlannedCall,
  type ProgramTool,
  type Progress,
} from "../progress.js";
import { interpretProgram } from "../run/interpretProgram.js";
import type { Program } from "../program.js";

export interface PlanRun {
  program: Program;
  values: ReadonlyMap<string, unknown>;
  /** "2026-03-01" */
  today: string;
  tools: readonly ProgramTool[];
  mostCalls: number;
  /**
   * Told which calls come next, before any of them is made. Throwing ends the plan.
   *
   * @param due.known tells what else will be written, as far as it can be known: reads that follow a write are made in
   * advance with `read`, and again in their turn
   */
  before?: (due: DueCalls) => Promise<void>;
  /**
   * Makes a call: independent reads concurrently, writes one at a time. Throwing ends the plan; a failed call
   * is an outcome that the plan may catch.
   */
  make: (call: PlannedCall) => Promise<Outcome>;
}

export interface DueCalls {
  calls: readonly PlannedCall[];
  known: (read: (call: PlannedCall) => Promise<Outcome | undefined>) => Promise<KnownWrites>;
}

/** The writes still to be made, in order, and whether nothing else can be added to them. */
export type KnownWrites = Pick<Progress, "writes" | "complete">;

/** A plan that did not reach its end; the message is one line. */
export class PlanStopped extends Error {}

/**
 * Why a plan has stopped, with the writes that stand.
 *
 * @param written the ids of tools, one for each write
 */
export function stoppedText(problem: string, written: readonly string[]): string {
  if (written.length === 0) return problem;
  const counts = [...new Set(written)].map(
    (tool) => `${tool} ${written.filter((one) => one === tool).length} ×`,
  );
  const plain = problem.replace(/\.$/, "");
  return `${plain}; what it has written until then stands: ${counts.join(", ")}`;
}

/**
 * Runs a plan from start to end.
 *
 * @returns its result; null for nothing
 * @throws PlanStopped when it cannot continue, or itself reports failure
 */
export async function carryOut(run: PlanRun): Promise<unknown> {
  const { before, make } = run;
  const outcomes = new Map<string, Outcome>();
  while (true) {
    const { calls, end, fault, look, need } = progressOf(run, outcomes);
    if (fault) throw new PlanStopped(faultText(fault));
    if (end?.failed) throw new PlanStopped(end.text || "it says that it has not done its work");
    if (end) return end.value;
    if (look || need) throw new Error("A plan with a question to the model was saved.");
    const due = calls.slice(0, MOST_CALLS);
    await before?.({ calls: due, known: (read) => knownWrites(run, outcomes, read) });
    for (const [place, outcome] of await allOf(due, make)) outcomes.set(place, outcome);
  }
}

function progressOf(
  { program, values, today, tools, mostCalls }: PlanRun,
  outcomes: ReadonlyMap<string, Outcome>,
  ahead = false,
): Progress {
  const inputs = { outcomes, looks: new Map<string, string>(), values, today, tools, ahead };
  return interpretProgram(program, inputs, { calls: mostCalls });
}

/** A read without an outcome is not made in advance, and what depends on it stays unknown. */
async function knownWrites(
  run: PlanRun,
  outcomes: ReadonlyMap<string, Outcome>,
  read: (call: PlannedCall) => Promise<Outcome | undefined>,
): Promise<KnownWrites> {
  const ahead = new Map(outcomes);
  const passed = new Set<string>();
  while (true) {
    const { calls, writes, complete, fault } = progressOf(run, ahead, true);
    if (fault) return { ...progressOf(run, outcomes), complete: false };
    const open = calls.filter(({ tool, place }) => tool.effects === "read" && !passed.has(place));
    if (open.length === 0) return { writes, complete: complete && passed.size === 0 };
    for (const call of open.slice(0, MOST_CALLS)) {
      const outcome = await read(call);
      if (outcome) ahead.set(call.place, outcome);
      else passed.add(call.place);
    }
  }
}

/** If a call ends the plan, concurrent ones are awaited first, so that none continues unseen. */
async function allOf(
  calls: readonly PlannedCall[],
  make: PlanRun["make"],
): Promise<[string, Outcome][]> {
  const ended = await Promise.allSettled(
    calls.map(async (call): Promise<[string, Outcome]> => [call.place, await make(call)]),
  );
  return ended.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}
