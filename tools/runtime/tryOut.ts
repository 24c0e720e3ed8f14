import { definitionHash } from "../library/hash.js";
import type { CheckOutcome, GeneratedTool } from "../generated/draft.js";
import type { ExampleCheck, ToolRecord } from "../tool.js";
import type { CallScope, RuntimeParts, ToolLookup } from "./callScope.js";
import { createGates } from "./gate.js";
import { jsonResult } from "./jsonResult.js";
import { failureText, type Settlement } from "./outcome.js";
import { runCall } from "./runCall.js";
import { sameValue } from "./sameValue.js";
import { trialJournal } from "./trialJournal.js";
import { type WorldDefinition, openWorlds } from "./worlds.js";

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
  definitions: readonly WorldDefinition[];
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
  definitions: readonly WorldDefinition[];
  request: TrialRequest;
  check: ExampleCheck;
}): Promise<CheckOutcome> {
  const breaches: string[] = [];
  const onBreach = (breach: string) => void breaches.push(breach);
  const journal = trialJournal(parts.journal);
  const scope: CallScope = {
    ...parts,
    journal,
    worlds: openWorlds({ definitions, states: journal }),
    worldGates: createGates(1),
    threadId,
    timeoutMs,
    library: library && harmlessTools({ library, parts, onBreach }),
    onBreach,
  };
  const record: ToolRecord = { ...tool, version: 0, hash: definitionHash(tool) };
  const place = { depth: 0, worldsAbove: [], since: Date.now(), signal };
  const settlement = await runCall(scope, { id: "trial", record, args: check.args, ...place });
  return outcomeOf({ check, settlement, breaches });
}

/** Tools that may be called without a lasting effect; an error says of any other why not. */
export function harmlessTools({
  library,
  parts,
  onBreach,
}: {
  library: ToolLookup;
  parts: RuntimeParts;
  onBreach: (breach: string) => void;
}): ToolLookup {
  return {
    get(id) {
      const record = library.get(id);
      if (record === undefined || isHarmless(record, parts)) return record;
      const breach = `${id} writes, and not to a world that can be copied: a tool that calls it cannot be tried out`;
      onBreach(breach);
      throw new Error(breach);
    },
  };
}

/** What a model's tool does is what the tools do that it calls, and they are looked at in their turn. */
export function isHarmless(record: ToolRecord, { worldOf }: RuntimeParts): boolean {
  const { effects, source } = record;
  if (effects === "read" || source.kind === "generated") return true;
  const actsOnWorld = worldOf(record) !== undefined;
  const isOurs =
    source.kind === "declared" || (source.kind === "function" && source.catalog !== undefined);
  return actsOnWorld && isOurs;
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
