import { MOST_CALLS } from "../../../common/bounds.js";
import { faultText } from "../faultText.js";
import { interpretProgram } from "../run/interpretProgram.js";
import type { Program } from "../program.js";
import type { Outcome, PlannedCall, ProgramTool } from "../progress.js";

/** What a plan is carried out with. */
export interface PlanRun {
  program: Program;
  /** Its arguments by name. */
  values: ReadonlyMap<string, unknown>;
  /** "2026-03-01" */
  today: string;
  tools: readonly ProgramTool[];
  mostCalls: number;
  /**
   * Makes a call: reads that need nothing of each other at once, writes one after the other. What it throws ends
   * the plan; the failure of a call is an outcome, which the plan may catch.
   */
  make: (call: PlannedCall) => Promise<Outcome>;
}

/** A plan that could not be carried out to its end; the message is one line. */
export class PlanStopped extends Error {}

/**
 * Carries a plan out from its top to its end.
 *
 * @returns what it gives back; null for nothing
 * @throws PlanStopped when it goes no further, or says itself that it has not done its work
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

/** A call that ends the plan does so when those beside it are over: none goes on unseen. */
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
