import { fittedArguments } from "../../../plans/steps/fitStep.js";
import { withValue, type Outcome, type PlannedCall } from "../../../plans/language/progress.js";
import { carryOut, PlanStopped, stoppedText } from "../../../plans/language/saved/carryOut.js";
import { PROGRAM_LIMITS } from "../../../plans/language/run/visit.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import type { ToolSource } from "../../tool.js";
import { planApproval } from "./approvePlan.js";
import {
  type CallScope,
  type PlanSettings,
  type RequestedCall,
  toolIn,
  type Invocation,
  type Invoked,
} from "./callScope.js";
import { jsonResult } from "./jsonResult.js";
import { OUTCOME_UNKNOWN, failureText } from "./callOutcome.js";
import { resultProblem } from "./schemaCheck.js";
import { openPlan, type OpenedPlan, runOf, toolOf } from "./savedPlan.js";
import { resultOf } from "./toolCaller.js";

/**
 * Runs a saved plan. Each call is journaled under its place in the plan, so an interrupted plan continues where
 * it stopped. The plan has no time-out, only its calls and the run do.
 *
 * @throws PlanStopped with what was written so far
 */
export async function callPlan(
  invocation: Invocation,
  source: ToolSource & { kind: "program" },
): Promise<Invoked> {
  const { scope, call, args, clock } = invocation;
  clock.hold();
  const begun = await beginPlan(scope, call);
  const opened = await openPlan({ ...call.record, source }, (id) => toolIn(scope.library, id));
  if ("problem" in opened) throw new PlanStopped(`${call.record.name}: ${opened.problem}`);
  const written: string[] = [];
  const calling = { invocation, opened, written };
  const before = planApproval(invocation, opened, (planned, name) =>
    makeCall(calling, planned, name),
  );
  try {
    const value = await carryOut({
      ...runOf(opened, args, begun.today),
      mostCalls: begun.mostCalls,
      ...(before && { before }),
      make: (planned) => makeCall(calling, planned),
    });
    return { resultJson: jsonResult(value) };
  } catch (error) {
    if (!(error instanceof PlanStopped)) throw error;
    throw new PlanStopped(`${call.record.name}, ${stoppedText(error.message, written)}`);
  }
}

/**
 * The day on which the call of the plan began. An interrupted plan keeps it, because another day could lead to
 * other calls at the same places. For the same reason a plan changed meanwhile is not continued.
 */
async function beginPlan(scope: CallScope, call: RequestedCall): Promise<PlanSettings> {
  const { threadId, hold, journal, plans } = scope;
  const { id: tool, hash } = call.record;
  const today = plans?.today ?? new Date().toISOString().slice(0, "2026-03-01".length);
  const claim = await journal.begin({
    threadId,
    hold,
    callId: `${call.id}/begun`,
    tool,
    args: {},
    effects: "read",
  });
  if (claim.kind === "execute") {
    const resultJson = JSON.stringify({ today, hash });
    await journal.finish(claim, { status: "done", resultJson, ms: 0, cost: 0 });
  }
  const now = { today, hash };
  const begun =
    claim.kind === "finished" ? (JSON.parse(claim.entry.resultJson ?? "{}") as typeof now) : now;
  if (begun.hash !== hash) {
    throw new PlanStopped(
      `${OUTCOME_UNKNOWN}: ${call.record.name} was changed while a call of it was under way; what it had done until then stands`,
    );
  }
  return { today: begun.today, mostCalls: plans?.mostCalls ?? PROGRAM_LIMITS.calls };
}

interface Calling {
  invocation: Invocation;
  opened: OpenedPlan;
  /** Collects the ids of tools that wrote. */
  written: string[];
}

/** @param name by which the journal knows the call; its place in the plan by default */
async function makeCall(
  { invocation, opened, written }: Calling,
  planned: PlannedCall,
  name = planned.place,
): Promise<Outcome> {
  const { callAt, clock } = invocation;
  const { line } = planned;
  clock.signal.throwIfAborted();
  const record = toolOf(planned, opened);
  const args = fittedArguments(record, planned.args);
  const settlement = await callAt({ place: name, tool: record.id, args }).catch(
    (error: unknown) => {
      // A forbidden call ends the plan even if the plan catches errors: it may be allowed another time.
      if (error instanceof StorageFailed || !(error instanceof Error)) throw error;
      throw new PlanStopped(`line ${line}: ${error.message}`);
    },
  );
  if (settlement.status === "cancelled") throw await endOf(clock.signal);
  if (settlement.status !== "done") return { error: failureText(settlement) };
  if (record.effects === "write") written.push(record.id);
  const result = resultOf(settlement);
  const problem = resultProblem(record, result);
  if (!problem) return { result };
  throw new PlanStopped(
    withValue(
      `line ${line}: the result of ${record.id} is not to be relied on: ${problem}`,
      result,
    ),
  );
}

/** Waits for the signal that has cancelled the call, because it ends the plan too. */
async function endOf(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
  return signal.reason;
}
