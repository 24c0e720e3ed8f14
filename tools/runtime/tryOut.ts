import { definitionHash } from "../library/hash.js";
import type { CheckOutcome, GeneratedTool } from "../generated/draft.js";
import type { ExampleCheck, ToolRecord } from "../tool.js";
import type { RuntimeParts, ToolLookup } from "./callScope.js";
import { jsonResult } from "./jsonResult.js";
import { failureText, type Settlement } from "./callOutcome.js";
import { runCall } from "./runCall.js";
import { sameValue } from "./sameValue.js";
import { trialScope } from "./trialScope.js";
import type { LazyWorld, WorldDefinition } from "./worlds.js";

/** A tool that a model has written, and what is to be tried on it. */
export interface TrialRequest {
  tool: GeneratedTool;
  checks: readonly ExampleCheck[];
  /** Where the tools are found that it calls; without it, none can be called. */
  library?: ToolLookup;
  /** The run whose worlds are copied. */
  threadId: string;
  /** Time-out of each check, unless the tool has one of its own, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/**
 * Runs example calls of a tool, one after another, as its calls would run, but leaves nothing behind: the
 * journal forgets, and each check acts on copies of the run's worlds of its own. The tool may call what it
 * lists: tools that only read, tools that act on a world, and tools of models whose calls in turn are such.
 *
 * Passed is not what fails because of a limit or of a call that is not allowed, even where the example
 * expects an error.
 *
 * @throws the signal's reason when it is aborted
 */
export async function tryOut({
  parts,
  definitions,
  request,
}: {
  parts: RuntimeParts;
  definitions: readonly (WorldDefinition | LazyWorld)[];
  request: TrialRequest;
}): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const check of request.checks) {
    request.signal?.throwIfAborted();
    outcomes.push(await tryCheck({ parts, definitions, request, check }));
  }
  request.signal?.throwIfAborted();
  return outcomes;
}

async function tryCheck({
  parts,
  definitions,
  request: { tool, library, threadId, timeoutMs, signal },
  check,
}: {
  parts: RuntimeParts;
  definitions: readonly (WorldDefinition | LazyWorld)[];
  request: TrialRequest;
  check: ExampleCheck;
}): Promise<CheckOutcome> {
  const breaches: string[] = [];
  const onBreach = (breach: string) => void breaches.push(breach);
  const settings = { threadId, timeoutMs, library };
  const scope = trialScope({ parts, definitions, settings, onBreach });
  const record: ToolRecord = { ...tool, version: 0, hash: definitionHash(tool) };
  const place = { depth: 0, worldsAbove: [], since: Date.now(), signal };
  const settlement = await runCall(scope, { id: "trial", record, args: check.args, ...place });
  return outcomeOf({ check, settlement, breaches });
}

function outcomeOf({
  check,
  settlement,
  breaches,
}: {
  check: ExampleCheck;
  settlement: Settlement;
  breaches: readonly string[];
}): CheckOutcome {
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
