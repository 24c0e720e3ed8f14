import { definitionHash } from "../library/records/hash.js";
import type { GeneratedTool, ExampleCheck, ToolRecord } from "../tool.js";
import { type RuntimeParts, type ToolLookup, type CallScope, toolIn } from "./engine/callScope.js";
import { resultOf } from "./engine/toolCaller.js";
import { jsonData, sameValue } from "./engine/jsonResult.js";
import { failureText, type Settlement } from "./engine/callOutcome.js";
import { createGates } from "./engine/gate.js";
import type { SavedWorld, WorldKey, WorldStates } from "./worlds/worldStates.js";
import { openWorlds } from "./worlds/worlds.js";

/** A made tool and the checks to run on it. */
export interface TrialRequest {
  tool: GeneratedTool;
  checks: readonly ExampleCheck[];
  /** Where it finds the tools it calls; if absent, it cannot call any. */
  library?: ToolLookup;
  threadId: string;
  /** Time-out of each check if the tool has none, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** What became of one check. */
export interface CheckOutcome {
  check: ExampleCheck;
  passed: boolean;
  /** The result or the error, as JSON data or in words. */
  got: { kind: "value"; value: unknown } | { kind: "throws"; error: string };
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
export async function tryOut(parts: RuntimeParts, request: TrialRequest): Promise<CheckOutcome[]> {
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
  const scope = trialScope(parts, { threadId, timeoutMs, library }, onBreach);
  const record: ToolRecord = { ...tool, version: 0, hash: definitionHash(tool) };
  const since = Date.now();
  const call = { id: "trial", record, args: check.args, depth: 0, worldsAbove: [], since, signal };
  const settlement = await scope.run(scope, call);
  return checkOutcome(check, settlement, breaches);
}

function checkOutcome(
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
  const value = resultOf(settlement);
  const passed =
    expects.kind === "runs" ||
    (expects.kind === "value" && sameValue(value, jsonData(expects.value)));
  return { check, passed, got: { kind: "value", value } };
}

/**
 * A scope for calls that leave no trace: the journal forgets, and worlds are copies in memory of the thread's worlds.
 * Tools may only call tools without lasting effects; other calls are breaches.
 */
function trialScope(
  parts: RuntimeParts,
  { threadId, timeoutMs, library }: Pick<TrialRequest, "threadId" | "timeoutMs" | "library">,
  onBreach: (breach: string) => void,
): CallScope {
  const journal = trialJournal(parts.journal);
  return {
    ...parts,
    journal,
    worlds: openWorlds(parts.worldDefinitions, journal),
    worldGates: createGates(1),
    threadId,
    timeoutMs,
    library: library && harmlessTools(library, parts, onBreach),
    onBreach,
  };
}

/**
 * A journal for calls that leave no trace. Every call is new; worlds start from `states`, and their changes
 * stay in memory.
 */
function trialJournal(states: WorldStates): RuntimeParts["journal"] {
  const changed = new Map<string, SavedWorld>();
  const saveWorld = async (world: SavedWorld) => {
    changed.set(keyOf(world), { ...world, revision: world.revision + 1 });
  };
  return {
    world: async (key) => changed.get(keyOf(key)) ?? (await states.world(key)),
    saveWorld,
    begin: async () => ({ kind: "execute", ref: "trial", claim: "trial" }),
    start: async () => undefined,
    learn: async () => undefined,
    finish: async (_call, { world }) => {
      if (world !== undefined) await saveWorld(world);
    },
    release: async () => undefined,
    withdraw: async () => undefined,
    settle: async () => undefined,
    calls: async () => [],
    noteLook: async () => undefined,
    noteTask: async () => undefined,
    keepFile: async () => undefined,
    files: async () => [],
  };
}

function keyOf({ name, runId }: WorldKey): string {
  return JSON.stringify([name, runId]);
}

/** Finds tools without lasting effects; for others, throws the reason. */
function harmlessTools(
  library: ToolLookup,
  parts: RuntimeParts,
  onBreach: (breach: string) => void,
): ToolLookup {
  return {
    find: (id) => toolIn(library, id),
    get(id) {
      const record = library.get(id);
      if (record === undefined || isHarmless(record, parts)) return record;
      const breach = `${id} writes, and not to a world that can be copied: a tool that calls it cannot be tried out`;
      onBreach(breach);
      throw new Error(breach);
    },
  };
}

/** A model's tool or a plan does only what the tools it calls do, and each of those is checked too. */
function isHarmless(record: ToolRecord, { worldOf }: RuntimeParts): boolean {
  const { effects, source } = record;
  if (effects === "read" || source.kind === "generated" || source.kind === "program") return true;
  const actsOnWorld = worldOf(record) !== undefined;
  const isOurs =
    source.kind === "declared" || (source.kind === "function" && source.catalog !== undefined);
  return actsOnWorld && isOurs;
}
