import { setTimeout as sleep } from "node:timers/promises";
import { TulipgraphError } from "../../../common/errors.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import { type CallClock, startClock } from "./callClock.js";
import { OUTCOME_UNKNOWN, type Settlement } from "./callOutcome.js";
import { MAY_HAVE_HAPPENED, type InputRequest, type RemoteTask } from "../../remote.js";
import {
  type CallScope,
  type CheckedCall,
  type RequestedCall,
  type ToolCaller,
  inPool,
} from "./callScope.js";
import { interruptedCall } from "./interruptedCall.js";
import { changedMeanwhile, lookAround } from "./looks.js";
import { thrownText } from "./thrownText.js";
import type { CallEnd, Claim, ClaimedCall, JournalEntry } from "../journal/journal.js";
import type { ToolRecord } from "../../tool.js";
import { PlanStopped } from "../../../plans/language/saved/carryOut.js";
import { isSavedPlan } from "./savedPlan.js";
import { toolCaller } from "./toolCaller.js";
import { validateArguments } from "./validateArguments.js";
import { ThreadLost, ToolError } from "../functions/workerMessages.js";

/** How often to check on a call that runs in another process, in milliseconds. */
const POLL_MS = 100;

/**
 * Makes one call: checks its arguments, waits for its turn, looks into the journal, runs the tool and records
 * how it ended.
 *
 * @throws StorageFailed when the journal cannot be written or another run holds the thread; failures of tools
 * are in the settlement
 */
export async function runCall(scope: CallScope, call: RequestedCall): Promise<Settlement> {
  const check = validateArguments(call);
  if (!check.ok)
    return { status: "invalid", error: check.problem, ms: 0, cost: 0, replayed: false };
  const timeoutMs = call.record.timeoutMs ?? scope.timeoutMs;
  const { since, signal } = call;
  const clock = startClock({ since, timeoutMs, deadline: scope.deadline, signal });
  const world = scope.worldOf(call.record);
  const checked = { scope, call, args: check.args, world, timeoutMs, clock };
  try {
    return await inItsSlot(checked, () => claimAndRun(checked));
  } catch (error) {
    if (!clock.signal.aborted || error !== clock.signal.reason) throw error;
    return notStarted(checked);
  } finally {
    clock.stop();
  }
}

/**
 * Calls on one world run one at a time; users' functions need a slot of the workers, models' functions one of
 * the sandbox.
 */
function inItsSlot<T>(checked: CheckedCall, body: () => Promise<T>): Promise<T> {
  const { scope, call, world, clock } = checked;
  const { signal } = clock;
  const inThread = () => inPool(scope, call, { signal, body });
  if (world === undefined) return inThread();
  const key = JSON.stringify([world, scope.threadId]);
  return scope.worldGates.enter({ key, signal, body: inThread });
}

async function claimAndRun(checked: CheckedCall): Promise<Settlement> {
  const claim = await claimCall(checked);
  if (claim.kind === "execute") return execute(checked, claim);
  if (claim.kind === "finished") return recorded(claim.entry);
  const { ref } = claim.entry;
  if (claim.kind === "interrupted") return await interrupted(checked, ref);
  return unknown(checked, ref, "still runs in another process");
}

/** Asks what became of a write. */
async function interrupted(checked: CheckedCall, ref: string): Promise<Settlement> {
  const told = await interruptedCall(checked, ref);
  if (told === "settled") return await claimAndRun(checked);
  if (told) return { status: "input", input: [told], ms: 0, cost: 0, replayed: false };
  return unknown(
    checked,
    ref,
    "was started before an interruption and may or may not have happened; it is not repeated",
  );
}

function unknown({ call }: CheckedCall, ref: string, why: string): Settlement {
  const { name, cost = 0 } = call.record;
  const error = `${OUTCOME_UNKNOWN}: ${name} ${why}`;
  return { status: "unknown", error, ms: 0, cost, replayed: true, ref };
}

/** Waits while the call runs elsewhere, at most until its own time is up. */
async function claimCall({ scope, call, clock }: CheckedCall): Promise<Claim> {
  const { id: callId, args, record } = call;
  const { threadId, hold, behalf, runId } = scope;
  const { id: tool, effects } = record;
  const undoes = call.undoes?.ref;
  const owner = behalf?.owner;
  const begun = { threadId, hold, callId, tool, args, effects, owner, runId, undoes };
  while (true) {
    clock.signal.throwIfAborted();
    const claim = await scope.journal.begin(begun);
    if (claim.kind !== "running") return claim;
    const own = scope.underWay.get(claim.entry.ref);
    if (own) return { kind: "execute", ...own };
    await sleep(POLL_MS);
    if (clock.signal.aborted) return claim;
  }
}

function recorded(entry: JournalEntry): Settlement {
  const { ref, resultJson, error, ms = 0, cost = 0 } = entry;
  // A finished entry is no longer "started".
  const status = entry.status as CallEnd["status"];
  return { status, resultJson, error, ms, cost, replayed: true, ref };
}

async function execute(checked: CheckedCall, claimed: ClaimedCall): Promise<Settlement> {
  const { scope, call, clock } = checked;
  const { ref } = claimed;
  const startedAt = performance.now();
  const start = callStart(checked, claimed);
  const caller = toolCaller({
    scope,
    call,
    world: checked.world,
    signal: clock.signal,
    onCall: (record) => start.markCall(record),
  });
  const task = taskOf(checked, claimed);
  const making = async (): Promise<Ended> => {
    // What is under way since an earlier visit was looked at then.
    const changed = start.isMarked() ? undefined : await lookBefore(checked, ref);
    if (changed) return { status: "error", error: changed };
    return await endOf(checked, { start, caller, task });
  };
  const ended = await making().catch(async (error: unknown) => {
    await scope.journal.release(claimed);
    throw error;
  });
  if (ended.status === "lost") return await afterLoss(checked, claimed);
  const { ms: told = performance.now() - startedAt, ...end } = ended;
  const ms = Math.round(told);
  const cost = (call.record.cost ?? 0) + caller.cost();
  if (end.status === "input") {
    // A write that is under way meanwhile stays claimed: if this process ends, its outcome is unknown.
    if (end.isOpen && start.isMarked()) scope.underWay.set(ref, claimed);
    else await scope.journal.withdraw(claimed);
    const { status, input } = end;
    return { status, input, ms, cost: 0, replayed: false, ref };
  }
  if (end.status === "cancelled") {
    await scope.journal.release(claimed);
    return { ...end, ms, cost, replayed: false, ref };
  }
  const { status, resultJson, error } = end;
  await scope.journal.finish(claimed, { ...end, ms, cost });
  const { id, hash, returns } = call.record;
  if (status === "done" && resultJson !== undefined && !returns)
    await scope.journal.learn({ id, hash, args: checked.args, json: resultJson });
  const after = status === "done" ? await lookAround(checked, { resultJson }) : undefined;
  if (after) await scope.journal.noteLook(ref, { after });
  return { status, resultJson, error, ms, cost, replayed: false, ref };
}

/** Keeps what a write is about to change; returns why it is not made, if it takes back what has changed meanwhile. */
async function lookBefore(checked: CheckedCall, ref: string): Promise<string | undefined> {
  const { scope, call } = checked;
  const changed = await changedMeanwhile(checked, call.undoes?.expects);
  const before = changed === undefined ? await lookAround(checked) : undefined;
  if (before) await scope.journal.noteLook(ref, { before });
  return changed;
}

function taskOf({ scope, clock }: CheckedCall, claimed: ClaimedCall): RemoteTask {
  if (claimed.task !== undefined) clock.extend();
  return {
    id: claimed.task,
    async note(id) {
      await scope.journal.noteTask(claimed, id);
      clock.extend();
    },
  };
}

/** A write is asked about, and its task each time before, until somebody knows; a read is made anew. */
async function afterLoss(checked: CheckedCall, claimed: ClaimedCall): Promise<Settlement> {
  const { scope, call } = checked;
  const writes = call.record.effects === "write";
  if (!writes) await scope.journal.noteTask(claimed, undefined);
  await scope.journal.release(claimed);
  return await (writes ? interrupted(checked, claimed.ref) : claimAndRun(checked));
}

type Ended = { ms?: number } & (
  | Pick<CallEnd, "status" | "resultJson" | "error" | "world">
  | { status: "cancelled"; error: string }
  | { status: "lost" }
  | { status: "input"; input: InputRequest[]; isOpen?: boolean }
);

/** Tracks when a call may start to have lasting effects. */
type CallStart = ReturnType<typeof callStart>;

function callStart({ scope, call }: CheckedCall, claimed: ClaimedCall) {
  // A call that has waited for a person was marked when it began.
  const isRead = call.record.effects === "read";
  let isMarked = scope.underWay.delete(claimed.ref) || (!isRead && claimed.task !== undefined);
  // Once; reads are simply repeated, so they need no record.
  const mark = async () => {
    if (isMarked || isRead) return;
    if (await scope.behalf?.isWithdrawn?.())
      throw new Error("not made: whoever started the run may no longer act");
    await scope.journal.start(claimed);
    isMarked = true;
  };
  return {
    isMarked: () => isMarked,
    mark,
    /** The tool is about to call another one. */
    async markCall({ effects }: ToolRecord) {
      // A plan only makes calls, and each is in the journal, so the plan can be started again.
      if (isSavedPlan(call.record)) isMarked ||= effects === "write";
      else await mark();
    },
  };
}

async function endOf(
  checked: CheckedCall,
  { start, caller, task }: { start: CallStart; caller: ToolCaller; task: RemoteTask },
): Promise<Ended> {
  const { scope, call, args, world, clock } = checked;
  const onStart = start.mark;
  try {
    const invocation = { scope, call, args, world, clock, onStart, task, ...caller };
    const { isLost, ...invoked } = await scope.invoke(invocation);
    if (isLost) return { status: "lost" };
    const { input = waitedFor(caller), isOpen } = invoked;
    if (input) return { status: "input", input, isOpen };
    return { status: invoked.error === undefined ? "done" : "error", ...invoked };
  } catch (error) {
    // Not the tool's fault: the journal cannot be written, or another run now holds the thread.
    if (error instanceof StorageFailed) throw error;
    switch (clock.reason()) {
      case undefined: {
        const input = waitedFor(caller);
        return input
          ? { status: "input", input }
          : { status: "error", error: callErrorText(error) };
      }
      case "timeout":
        return {
          status: "timeout",
          error: `timed out after ${clock.limitMs()} ms${doubt(start)}`,
        };
      default:
        return { status: "cancelled", error: `${cancelledText(clock)}${doubt(start)}` };
    }
  }
}

function waitedFor({ asked }: ToolCaller): InputRequest[] | undefined {
  return asked().length > 0 ? [...asked()] : undefined;
}

/** The name of a plain error says nothing; other names (RangeError, AxiosError) may. */
function callErrorText(error: unknown): string {
  return error instanceof ToolError ||
    error instanceof ThreadLost ||
    error instanceof PlanStopped ||
    error instanceof TulipgraphError
    ? error.message
    : thrownText(error).replace(/^Error: /, "");
}

/** The model must know that an aborted write may have taken effect. */
function doubt({ isMarked }: CallStart): string {
  return isMarked() ? `; it ${MAY_HAVE_HAPPENED}` : "";
}

function cancelledText(clock: CallClock): string {
  return clock.reason() === "deadline" ? "the run's time is over" : "the run was cancelled";
}

/** Without an entry in the journal, the call can be made later as if for the first time. */
function notStarted({ clock, timeoutMs }: CheckedCall): Settlement {
  const isTimeout = clock.reason() === "timeout";
  const why = isTimeout
    ? `other calls have taken up its ${timeoutMs} ms before it was its turn`
    : cancelledText(clock);
  return {
    status: isTimeout ? "timeout" : "cancelled",
    error: `not started: ${why}`,
    ms: 0,
    cost: 0,
    replayed: false,
  };
}
