import { MOST_CALLS } from "../../../common/bounds.js";
import { faultText, type Outcome, type PlannedCall, type ProgramTool } from "../progress.js";
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
   * Makes a call: independent reads concurrently, writes one at a time. Throwing ends the plan; a failed call
   * is an outcome that the plan may catch.
   */
  make: (call: PlannedCall) => Promise<Outcome>;
}

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
  const { program, values, today, tools, mostCalls, make } = run;
  const outcomes = new Map<string, Outcome>();
  while (true) {
    const inputs = { outcomes, looks: new Map<string, string>(), values, today, tools };
    const { calls, end, fault, look, need } = interpretProgram(program, inputs, {
      calls: mostCalls,
    });
    if (fault) throw new PlanStopped(faultText(fault));
    if (end?.failed) throw new PlanStopped(end.text || "it says that it has not done its work");
    if (end) return end.value;
    if (look || need) throw new Error("A plan with a question to the model was saved.");
    const made = await allOf(calls.slice(0, MOST_CALLS), make);
    for (const [place, outcome] of made) outcomes.set(place, outcome);
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
