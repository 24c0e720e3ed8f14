import { isUnvouched, unvouchedText } from "../../library/records/effects.js";
import type { ToolRecord } from "../../tool.js";
import { failureText, type Settlement } from "./callOutcome.js";
import type { InputRequest } from "../../remote.js";
import type { CallScope, RequestedCall, ToolCaller } from "./callScope.js";
import { jsonData } from "./jsonResult.js";
import { isSavedPlan } from "./savedPlan.js";

/** How deep tools may call tools; anything deeper counts as endless. */
const DEEPEST = 4;

/**
 * Gives a running call its `ctx.callTool`. Its calls are journaled under their own ids (`parent/1`, `parent/2`
 * …), so that a read repeated after an interruption finds the calls that had ended.
 *
 * A tool declared as reading may not call one that writes: it is repeated after an interruption, which would
 * repeat the write.
 */
export function toolCaller(options: {
  scope: CallScope;
  call: RequestedCall;
  world: string | undefined;
  signal: AbortSignal;
  onCall: (record: ToolRecord) => Promise<void>;
}): ToolCaller {
  const { scope, call: caller, world, signal, onCall } = options;
  let count = 0;
  let cost = 0;
  const asked: InputRequest[] = [];
  const answers = canWait(caller.record) ? caller.answers : undefined;
  const worldsAbove = world === undefined ? caller.worldsAbove : [...caller.worldsAbove, world];
  const callAt: ToolCaller["callAt"] = async ({ place, tool, args }) => {
    const record = callableTool(scope, caller, worldsAbove, tool);
    await onCall(record);
    const settlement = await scope.run(scope, {
      id: `${caller.id}/${place}`,
      record,
      args: jsonData(args),
      depth: caller.depth + 1,
      worldsAbove,
      since: Date.now(),
      signal,
      answers,
    });
    cost += settlement.cost;
    if (settlement.status !== "input") return settlement;
    asked.push(...(settlement.input ?? []));
    throw new Error(`${tool} waits for a person`);
  };
  return {
    cost: () => cost,
    asked: () => asked,
    wait(question) {
      asked.push(question);
      throw new Error(`${caller.record.id} waits for a person`);
    },
    callAt,
    async callTool({ tool, args }) {
      const settlement = await callAt({ place: String(++count), tool, args });
      if (settlement.status !== "done") throw new Error(`${tool}: ${failureText(settlement)}`);
      return resultOf(settlement);
    },
  };
}

/** Whether a call can be broken off and made anew once a person has answered: what it had called is in the journal. */
function canWait(tool: ToolRecord): boolean {
  return isSavedPlan(tool) || tool.effects === "read";
}

export function resultOf({ resultJson }: Settlement): unknown {
  return resultJson === undefined ? undefined : JSON.parse(resultJson);
}

/** The tool, if the caller may call it. */
function callableTool(
  scope: CallScope,
  caller: RequestedCall,
  worldsAbove: readonly string[],
  tool: string,
): ToolRecord {
  const { source } = caller.record;
  const refuse = (why: string) => {
    const breach = `${caller.record.name} cannot call ${tool}: ${why}`;
    scope.onBreach?.(breach);
    return new Error(breach);
  };
  // Checked first: a model's tool is not even told which other tools exist.
  if (source.kind === "generated" && !source.calls.includes(tool)) {
    throw refuse(
      `it may only call ${source.calls.join(", ") || "no tool"}, which it lists with @calls`,
    );
  }
  const record = scope.library?.get(tool);
  if (record === undefined) throw refuse("there is no such tool");
  const needsApproval = scope.library?.needsApproval?.(record) ?? record.approval;
  // Consent to the call of a saved plan covers what it was saved with. Other tools cannot be left in the middle.
  if (needsApproval && !isSavedPlan(caller.record))
    throw refuse("a person has to approve each of its calls; call it directly");
  if (caller.record.effects === "read" && record.effects === "write") {
    throw refuse(
      isUnvouched(record)
        ? unvouchedText(record)
        : "it writes, and the caller declares that it only reads; declare @effects write",
    );
  }
  if (caller.depth >= DEEPEST) throw refuse(`calls are nested more than ${DEEPEST} deep`);
  const world = scope.worldOf(record);
  if (world !== undefined && worldsAbove.includes(world))
    throw refuse(`both act on the world "${world}"; call its function directly`);
  return record;
}
