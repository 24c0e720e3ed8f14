import type { ToolRecord } from "../tool.js";
import { failureText } from "./outcome.js";
import type { CallScope, RequestedCall } from "./callScope.js";
import { jsonResult } from "./jsonResult.js";
import { runCall } from "./runCall.js";

/** A call of a tool by a tool by a tool … may be this deep; a deeper one is taken for endless. */
const DEEPEST = 4;

/** The calls that one call makes of other tools. */
export interface ToolCaller {
  callTool: (call: { tool: string; args: unknown }) => Promise<unknown>;
  /** What the calls have cost so far. */
  cost(): number;
}

/**
 * Gives a running call its `ctx.callTool`. What it calls is journaled under ids of its own
 * (`parent/1`, `parent/2` …), so that a read that is tried again after an interruption finds the
 * calls that had ended.
 *
 * A tool that declares to read may not call one that writes: it is repeated after an interruption,
 * and the write would be repeated with it.
 */
export function toolCaller({
  scope,
  call: caller,
  world,
  signal,
  onCall,
}: {
  scope: CallScope;
  call: RequestedCall;
  /** World that the caller acts on. */
  world: string | undefined;
  /** Aborted when the caller has to end. */
  signal: AbortSignal;
  /** Told before each call that is made. */
  onCall: () => void;
}): ToolCaller {
  let count = 0;
  let cost = 0;
  const worldsAbove = world === undefined ? caller.worldsAbove : [...caller.worldsAbove, world];
  return {
    cost: () => cost,
    async callTool({ tool, args }) {
      const id = `${caller.id}/${++count}`;
      const record = callableTool({ scope, caller, worldsAbove, tool });
      onCall();
      const settlement = await runCall(scope, {
        id,
        record,
        args: asJson(args),
        depth: caller.depth + 1,
        worldsAbove,
        since: Date.now(),
        signal,
      });
      cost += settlement.cost;
      if (settlement.status !== "done") throw new Error(`${tool}: ${failureText(settlement)}`);
      return settlement.resultJson === undefined ? undefined : JSON.parse(settlement.resultJson);
    },
  };
}

/** The tool that a call may make use of. */
function callableTool({
  scope,
  caller,
  worldsAbove,
  tool,
}: {
  scope: CallScope;
  caller: RequestedCall;
  worldsAbove: readonly string[];
  tool: string;
}): ToolRecord {
  const { source } = caller.record;
  const refuse = (why: string) => {
    const breach = `${caller.record.name} cannot call ${tool}: ${why}`;
    scope.onBreach?.(breach);
    return new Error(breach);
  };
  // First of all: what a model has written is not even told which other tools there are.
  if (source.kind === "generated" && !source.calls.includes(tool)) {
    throw refuse(
      `it may only call ${source.calls.join(", ") || "no tool"}, which it lists with @calls`,
    );
  }
  const record = scope.library?.get(tool);
  if (record === undefined) throw refuse("there is no such tool");
  if (record.approval) throw refuse("a person has to approve each of its calls");
  if (caller.record.effects === "read" && record.effects === "write") {
    throw refuse("it writes, and the caller declares that it only reads; declare @effects write");
  }
  if (caller.depth >= DEEPEST) throw refuse(`calls are nested more than ${DEEPEST} deep`);
  const world = scope.worldOf(record);
  if (world !== undefined && worldsAbove.includes(world)) {
    throw refuse(`both act on the world "${world}"; call its function directly`);
  }
  return record;
}

/** Dates and the like become what a model would have written. */
function asJson(value: unknown): unknown {
  const json = jsonResult(value);
  return json === undefined ? undefined : JSON.parse(json);
}
