import { definitionHash } from "../../library/records/hash.js";
import type { CheckOutcome, GeneratedTool } from "../../made/draft.js";
import type { ExampleCheck, ToolRecord } from "../../tool.js";
import type { RuntimeParts, ToolLookup } from "../calls/callScope.js";
import { jsonResult } from "../calls/jsonResult.js";
import { failureText, type Settlement } from "../calls/callOutcome.js";
import { runCall } from "../calls/runCall.js";
import { sameValue } from "../calls/sameValue.js";
import { trialScope } from "./trialScope.js";

/** A made tool and the checks to run on it. */
export interface TrialRequest {
  tool: GeneratedTool;
  checks: readonly ExampleCheck[];
  /** Where it finds the tools it calls; if absent, it cannot call any. */
  library?: ToolLookup;
  /** The run whose worlds are copied. */
  threadId: string;
  /** Time-out of each check if the tool has none, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Runs example calls of a tool one after another, like real calls but without a trace: the journal forgets, and each
 * check has its own copies of the run's worlds. Of the tools that it lists, the tool may call those that only read or
 * act on a world, and made tools that only call such tools.
 *
 * Exceeding a limit or making a forbidden call never passes, even if the example expects an error.
 *
 * @throws the signal's reason if aborted
 */
export async function tryOut({
  parts,
  request,
}: {
  parts: RuntimeParts;
  request: TrialRequest;
}): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const check of request.checks) {
    request.signal?.throwIfAborted();
    outcomes.push(await tryCheck(parts, request, check));
  }
  request.signal?.throwIfAborted();
  return outcomes;
}

async function tryCheck(
  parts: RuntimeParts,
  { tool, library, threadId, timeoutMs, signal }: TrialRequest,
  check: ExampleCheck,
): Promise<CheckOutcome> {
  const breaches: string[] = [];
  const onBreach = (breach: string) => void breaches.push(breach);
  const settings = { threadId, timeoutMs, library };
  const scope = trialScope({ parts, settings, onBreach });
  const record: ToolRecord = { ...tool, version: 0, hash: definitionHash(tool) };
  const since = Date.now();
  const call = { id: "trial", record, args: check.args, depth: 0, worldsAbove: [], since, signal };
  const settlement = await runCall(scope, call);
  return outcomeOf(check, settlement, breaches);
}

function outcomeOf(
  check: ExampleCheck,
  settlement: Settlement,
  breaches: readonly string[],
): CheckOutcome {
  const { expects } = check;
  if (settlement.status !== "done") {
    const isThrown = settlement.status === "error" && breaches.length === 0;
    const error = failureText(settlement);
    return {
      check,
      passed: expects.kind === "throws" && isThrown,
      got: { kind: "throws", error },
    };
  }
  const value = parsed(settlement.resultJson);
  const passed =
    expects.kind === "runs" ||
    (expects.kind === "value" && sameValue(value, parsed(jsonResult(expects.value))));
  return { check, passed, got: { kind: "value", value } };
}

function parsed(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}
