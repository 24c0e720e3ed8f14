import { orAborted } from "../../../common/orAborted.js";
import type { ExportSource, ToolContext, ToolSource } from "../../tool.js";
import { callArguments } from "./callArguments.js";
import { withFiles } from "./callFiles.js";
import { RECORDED } from "./callOutcome.js";
import type { Invocation, Invoked, RequestedCall } from "./callScope.js";
import { loadCatalogFunction } from "../functions/catalogFunctions.js";
import { jsonResult } from "./jsonResult.js";
import { SandboxLimit } from "../sandbox/sandbox.js";
import type { OpenWorld } from "../worlds/worlds.js";

/**
 * Runs a tool: a shipped catalog's function in this process, a user's function in a worker, a model's function in the
 * sandbox; a saved plan is followed. A tool that is only declared is answered by its world, or with a fixed sentence.
 *
 * @throws what the tool throws, or the reason of the clock's signal
 */
export async function invoke(invocation: Invocation): Promise<Invoked> {
  const { scope, call, world: name, clock } = invocation;
  const { source } = call.record;
  // Importing a file or starting a thread does not count as the tool's time.
  clock.hold();
  const opened =
    name === undefined ? undefined : await scope.worlds.open({ name, runId: scope.threadId });
  if (source.kind === "declared") return answerOrRecord(invocation, opened);
  if (source.kind === "generated") return invokeInSandbox(invocation, source);
  if (source.kind === "mcp" || source.kind === "openapi") return invokeRemote(invocation);
  if (source.kind === "program") {
    const { callPlan } = await import("./callPlan.js");
    return await callPlan(invocation, source);
  }
  if (source.kind === "function" && source.catalog !== undefined) {
    const { catalog, exportName } = source;
    return invokeHere(invocation, { catalog, exportName, opened });
  }
  return invokeInWorker(invocation, source);
}

async function answerOrRecord(
  { call, args }: Invocation,
  opened: OpenWorld | undefined,
): Promise<Invoked> {
  if (opened === undefined) return { resultJson: JSON.stringify(RECORDED) };
  const { result, error, ms } = await opened.answer({ tool: call.record.id, args });
  const resultJson = error === undefined ? jsonResult(result) : undefined;
  return { resultJson, error, ms, world: opened.saved() };
}

async function invokeHere(
  { scope, call, args, clock, onStart, callTool }: Invocation,
  {
    catalog,
    exportName,
    opened,
  }: { catalog: string; exportName: string; opened: OpenWorld | undefined },
): Promise<Invoked> {
  const target = await loadCatalogFunction(catalog, exportName, scope.catalogs);
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
  // A shipped function with a world acts only on that world.
  if (opened === undefined) await onStart();
  clock.signal.throwIfAborted();
  // In an async function, so that a synchronous throw is an outcome of the call, too.
  const value = await orAborted(clock.signal, (async () => target(...given))());
  return { resultJson: jsonResult(value), world: opened?.saved(context.world) };
}

async function invokeInWorker(
  { scope, call, args, clock, onStart, callTool }: Invocation,
  source: ExportSource,
): Promise<Invoked> {
  const { threadId, journal: files } = scope;
  const context = { threadId, callId: call.id };
  const { record } = call;
  const resultJson = await withFiles({ record, args, threadId, files, isHere: true }, (given) =>
    scope.workers.run({
      call: {
        file: source.file,
        exportName: source.exportName,
        kind: source.kind,
        args: callArguments({ record, args: given }),
        ...(takesContext(call) ? { context } : {}),
      },
      signal: clock.signal,
      async onReady() {
        await onStart();
        clock.go();
      },
      callTool,
    }),
  );
  return { resultJson };
}

async function invokeRemote(invocation: Invocation): Promise<Invoked> {
  const { scope, call, args, clock, onStart, task } = invocation;
  const remotes = await scope.remotes();
  return await remotes.call({
    record: call.record,
    args,
    threadId: scope.threadId,
    callId: call.id,
    signal: clock.signal,
    onReady: clock.go,
    onStart,
    answers: call.answers,
    behalf: scope.behalf,
    files: scope.journal,
    task,
  });
}

async function invokeInSandbox(
  { scope, call, args, clock, callTool }: Invocation,
  { program, exportName }: ToolSource & { kind: "generated" },
): Promise<Invoked> {
  try {
    const resultJson = await scope.sandbox.run({
      program,
      functionName: exportName,
      args: callArguments({ record: call.record, args }),
      signal: clock.signal,
      onStarted: clock.go,
      callTool,
    });
    return { resultJson };
  } catch (error) {
    if (error instanceof SandboxLimit) scope.onBreach?.(error.message);
    throw error;
  }
}

function takesContext({ record: { source } }: RequestedCall): boolean {
  return source.kind === "function" && source.takesContext;
}
