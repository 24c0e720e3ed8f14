import { needsResult, readCallForm } from "../../library/records/wayBack.js";
import type { ToolRecord } from "../../tool.js";
import type { Look } from "../journal/journal.js";
import { startClock } from "./callClock.js";
import {
  type CallScope,
  type CheckedCall,
  type RequestedCall,
  inPool,
  toolIn,
} from "./callScope.js";
import { type Expected, changesSince } from "./expected.js";
import { thrownText } from "./thrownText.js";
import { toolCaller } from "./toolCaller.js";
import { validateArguments } from "./validateArguments.js";

/** Longer results, in characters, are not kept. */
const LONGEST_LOOK = 100_000;

/**
 * Looks at what a write that can be undone is about to change, or has changed: by the read that its tool names
 * (`before`). Where that read needs the result of the write, there was nothing to see before it.
 *
 * @returns undefined for any other call
 */
export async function lookAround(
  checked: CheckedCall,
  after?: { resultJson: string | undefined },
): Promise<Look | undefined> {
  const { record } = checked.call;
  if (record.effects !== "write" || record.undo === undefined) return undefined;
  const form = readCallForm(record.before);
  if (!form || (needsResult(form) && !after)) return undefined;
  const result: unknown =
    after?.resultJson === undefined ? undefined : JSON.parse(after.resultJson);
  return await lookAt(checked, form.tool, form.argumentsOf({ args: checked.args, result }));
}

/**
 * How what a call is about to take back has changed since it was written, in words; undefined if it has not.
 */
export async function changedMeanwhile(
  checked: CheckedCall,
  expected: Expected | undefined,
): Promise<string | undefined> {
  if (!expected) return undefined;
  const changes = changesSince(expected, await lookAt(checked, expected.tool, expected.args));
  return changes && `not made, as it has changed meanwhile: ${changes}`;
}

/**
 * Makes a read that belongs to a call, without an entry of its own. It takes no turn on a world, because the call has its
 * turn.
 */
async function lookAt(
  { scope, call }: Pick<CheckedCall, "scope" | "call">,
  toolId: string,
  given: Record<string, unknown>,
): Promise<Look> {
  const record = toolIn(scope.library, toolId);
  const look = { tool: record?.id ?? toolId, args: given };
  if (!record) return { ...look, error: `there is no tool ${toolId}` };
  if (record.effects !== "read" || record.approval)
    return { ...look, error: `${toolId} is not a read that may be made without asking` };
  const check = validateArguments({ record, args: given });
  if (!check.ok) return { ...look, error: check.problem };
  const reading = { ...call, id: `${call.id}/look`, record, args: check.args, answers: undefined };
  const seen = await readNow(scope, { ...reading, depth: call.depth + 1, since: Date.now() });
  const { length } = JSON.stringify(seen);
  return length <= LONGEST_LOOK
    ? { ...look, ...seen }
    : { ...look, error: "it is too long to be kept" };
}

/** What a look makes is noted nowhere. */
const onCall = async () => undefined;

async function readNow(
  scope: CallScope,
  call: RequestedCall & { record: ToolRecord; args: Record<string, unknown> },
): Promise<Pick<Look, "value" | "error">> {
  const { record, args, signal, since } = call;
  const timeoutMs = record.timeoutMs ?? scope.timeoutMs;
  const clock = startClock({ since, timeoutMs, deadline: scope.deadline, signal });
  const world = scope.worldOf(record);
  const caller = toolCaller({ scope, call, world, signal: clock.signal, onCall });
  const task = { id: undefined, note: onCall };
  const body = () =>
    scope.invoke({ scope, call, args, world, clock, onStart: onCall, task, ...caller });
  try {
    const { resultJson, error, input, isLost } = await inPool(scope, call, {
      signal: clock.signal,
      body,
    });
    if (input || isLost) return { error: `${record.id} could not be made` };
    if (error !== undefined) return { error };
    return { value: resultJson === undefined ? null : JSON.parse(resultJson) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { error: thrownText(error) };
  } finally {
    clock.stop();
  }
}
