import type { ToolContext } from "../tool.js";
import { callArguments } from "./callArguments.js";
import type { CallClock } from "./callClock.js";
import type { CallScope, RequestedCall } from "./callScope.js";
import { loadCatalogFunction } from "./catalogFunctions.js";
import { jsonResult } from "./jsonResult.js";
import type { SavedWorld } from "./worldStates.js";
import type { OpenWorld } from "./worlds.js";

/** A call whose turn it is. */
export interface Invocation {
  scope: CallScope;
  call: RequestedCall;
  /** Valid, with defaults filled in. */
  args: Record<string, unknown>;
  /** Name of the world that the tool acts on. */
  world: string | undefined;
  clock: CallClock;
  callTool: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

/** What a call that has succeeded leaves behind. */
export interface Invoked {
  resultJson?: string;
  world?: SavedWorld;
}

/**
 * Runs a tool: the function of a catalogue that ships in the process itself, the function of a user
 * in a worker.
 *
 * @throws what the tool throws, or the reason of the clock's signal
 */
export async function invoke(invocation: Invocation): Promise<Invoked> {
  const { scope, call, world: name, clock } = invocation;
  const { source } = call.record;
  const opened =
    name === undefined ? undefined : scope.worlds.open({ name, runId: scope.threadId });
  const shipped = source.kind === "function" ? source.catalog : undefined;
  // Neither importing a file nor starting a thread counts as the tool's own time.
  clock.hold();
  return shipped === undefined
    ? invokeInWorker(invocation, opened)
    : invokeHere(invocation, { catalog: shipped, opened });
}

async function invokeHere(
  { scope, call, args, clock, callTool }: Invocation,
  { catalog, opened }: { catalog: string; opened: OpenWorld | undefined },
): Promise<Invoked> {
  const { exportName } = call.record.source;
  const target = await loadCatalogFunction({ catalog, exportName, catalogs: scope.catalogs });
  clock.go();
  clock.signal.throwIfAborted();
  const context: ToolContext = {
    world: opened?.world,
    signal: clock.signal,
    threadId: scope.threadId,
    callId: call.id,
    callTool,
  };
  const given = callArguments({ record: call.record, args });
  if (takesContext(call)) given.push(context);
  const value = await orAborted(clock.signal, async () => target(...given));
  return { resultJson: jsonResult(value), world: opened?.saved(context.world) };
}

async function invokeInWorker(
  { scope, call, args, clock, callTool }: Invocation,
  opened: OpenWorld | undefined,
): Promise<Invoked> {
  const { source } = call.record;
  const context = { threadId: scope.threadId, callId: call.id, world: opened?.world };
  const { resultJson, world } = await scope.workers.run({
    call: {
      file: source.file,
      exportName: source.exportName,
      kind: source.kind,
      args: callArguments({ record: call.record, args }),
      ...(takesContext(call) ? { context } : {}),
    },
    signal: clock.signal,
    onStarted: clock.go,
    callTool,
  });
  return { resultJson, world: opened?.saved(world) };
}

function takesContext({ record: { source } }: RequestedCall): boolean {
  return source.kind === "function" && source.takesContext;
}

/** What goes on after an abort has no effect: its result and its world are dropped. */
async function orAborted<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
  const listening = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener("abort", end, { signal: listening.signal });
  });
  try {
    return await Promise.race([body(), aborted]);
  } finally {
    listening.abort();
  }
}
