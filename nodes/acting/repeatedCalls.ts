import { isDeepStrictEqual } from "node:util";
import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { cutObservation, visibleCalls } from "../../state/calls.js";
import { splitConversation } from "../../state/history.js";
import type { Call, GraphState } from "../../state/state.js";
import { validateArguments } from "../../tools/runtime/calls/validateArguments.js";
import type { ToolRecord } from "../../tools/tool.js";
import { isOfProgram } from "../programs/leaveProgram.js";
import { resultBehind } from "../programs/programResults.js";
import { type ToolOffer, allTools, writesIn } from "../shared/offeredTools.js";

/** Calls of a reply, with what they may repeat. */
interface Repetition {
  state: GraphState;
  calls: readonly ToolCall[];
  offer: ToolOffer;
}

/**
 * Calls that would repeat a write of this run with no other write in between, or of the same message, each with
 * what the model is told instead. Models repeat their work when something after it fails. A call sent again
 * after that is taken as intended.
 */
export function repeatedWrites({ state, calls, offer }: Repetition): Map<ToolCall, string> {
  const tools = allTools(offer);
  const repeated = new Map<ToolCall, string>();
  const writes = calls.flatMap((call) => {
    const tool = tools.get(call.name);
    return tool?.effects === "write" ? [{ call, tool }] : [];
  });
  for (const [at, { call, tool }] of writes.entries()) {
    const isTwice = writes
      .slice(0, at)
      .some((other) => other.tool === tool && isSameCall(tool, other.call, call));
    const told = isTwice ? twiceText(call) : doneText({ call, tool, state, offer });
    if (told !== undefined) repeated.set(call, told);
  }
  return repeated;
}

/** What is said about a repeated look-up. */
export interface KnownRead {
  /** For the record. */
  text: string;
  /** For the model: with the whole result if only part was shown so far. */
  shown: string;
}

/**
 * Look-ups identical to ones the model sees, with no other call in between or beside them, each with what the
 * model is told instead. Small models keep asking for what they were told. What may have changed can be looked
 * up by sending the call once more. Planned calls are left alone.
 *
 * @param options.end name of the control tool that ends the work
 */
export function repeatedReads(options: Repetition & { end: string }): Map<ToolCall, KnownRead> {
  const { state, calls, offer, end } = options;
  const tools = allTools(offer);
  const told = new Map(
    calls.flatMap((call) => {
      const tool = tools.get(call.name);
      if (tool?.effects !== "read" || isOfProgram(state, call.id ?? "")) return [];
      const earlier = lastOf(visibleCalls(state), call, tool);
      if (!earlier) return [];
      const since = state.calls.slice(state.calls.indexOf(earlier) + 1);
      const text = knownText(call, { gave: gaveText(earlier), end });
      const whole = resultBehind(state, earlier.id);
      const shown = whole === undefined ? text : knownText(call, { gave: whole, end });
      const isMeant = since.some(({ error }) => error === text);
      return isMeant || hasMovedOn(earlier, state) ? [] : [[call, { text, shown }] as const];
    }),
  );
  // Whatever else is called beside a look-up may change what it gives.
  return told.size === calls.length ? told : new Map();
}

/**
 * Whether the results of all calls are known: look-ups after which nothing changed, and changes already made.
 * What a model says after such calls, it says knowing their results.
 */
export function areKnown({ state, calls, offer }: Repetition): boolean {
  const tools = allTools(offer);
  const isWrite = writesIn(offer);
  const written = repeatedWrites({ state, calls, offer });
  return calls.every((call) => {
    const tool = tools.get(call.name);
    if (!tool || tool.effects === "write") return written.has(call);
    const earlier = lastOf(visibleCalls(state), call, tool);
    if (!earlier) return false;
    const since = state.calls.slice(state.calls.indexOf(earlier) + 1);
    return !since.some((one) => isDone(one) && isWrite(one.tool));
  });
}

function isDone({ refused, error }: Call): boolean {
  return !refused && error === undefined;
}

/** The last successful call that was the same. */
function lastOf(calls: readonly Call[], call: ToolCall, tool: ToolRecord): Call | undefined {
  return calls.findLast(
    (one) => isDone(one) && one.tool === tool.id && isSameCall(tool, one, call),
  );
}

/** Whether anything but repetitions was called after a call's message or program. */
function hasMovedOn({ id }: Call, state: GraphState): boolean {
  const refused = new Set(state.calls.flatMap((call) => (call.refused ? call.id : [])));
  const rounds = splitConversation(state).since.filter((message) => AIMessage.isInstance(message));
  const isPlanned = isOfProgram(state, id);
  const isRound = ({ tool_calls = [] }: AIMessage) =>
    tool_calls.some((call) => call.id === id || (isPlanned && isOfProgram(state, call.id ?? "")));
  // The last message is the one whose calls are looked at.
  const later = rounds.slice(rounds.findLastIndex(isRound) + 1, -1);
  return later.some(({ tool_calls = [] }) =>
    tool_calls.some((call) => !refused.has(call.id ?? "")),
  );
}

/** What is told about a repeated call; undefined if it is new or intended. */
function doneText(options: {
  call: ToolCall;
  tool: ToolRecord;
  state: GraphState;
  offer: ToolOffer;
}): string | undefined {
  const { call, tool, state, offer } = options;
  const { calls } = state;
  const earlier = lastOf(calls, call, tool);
  if (!earlier) return undefined;
  const isWrite = writesIn(offer);
  const since = calls.slice(calls.indexOf(earlier) + 1);
  const round = roundOf(earlier.id, state);
  // A model that repeats part of a program or message has not seen that it was done; within one, it has.
  const isWithin = roundOf(call.id ?? "", state) === round;
  const between = since.filter(
    (one) => isDone(one) && isWrite(one.tool) && (isWithin || roundOf(one.id, state) !== round),
  );
  const text = alreadyText(call, earlier);
  const wasTold = since.some(({ error }) => error === text || error === twiceText(call));
  return between.length > 0 || wasTold ? undefined : text;
}

/** Whether two calls of a tool have the same arguments, with schema defaults filled in. */
function isSameCall(
  tool: ToolRecord,
  one: Pick<ToolCall, "args">,
  other: Pick<ToolCall, "args">,
): boolean {
  const filled = validateArguments({ record: tool, args: one.args });
  const others = validateArguments({ record: tool, args: other.args });
  return filled.ok && others.ok && isDeepStrictEqual(filled.args, others.args);
}

/** Identifies calls written together: those of a program, or of one message. */
function roundOf(id: string, state: GraphState): string | number {
  if (isOfProgram(state, id)) return "program";
  const at = state.messages.findIndex(
    (message) =>
      AIMessage.isInstance(message) && message.tool_calls?.some((call) => call.id === id),
  );
  return at < 0 ? id : at;
}

const ON_PURPOSE = "To repeat it on purpose, send the same call again.";

function alreadyText(call: ToolCall, earlier: Call): string {
  return `${madeText(call, gaveText(earlier))} ${ON_PURPOSE}`;
}

function knownText(call: ToolCall, { gave, end }: { gave: string; end: string }): string {
  return `${madeText(call, gave)} Call ${end} with the answer, or make the calls that are missing. To see whether something has changed, send the same call again.`;
}

/** The beginning of a result; empty if there is none in the state. */
function gaveText({ result }: Call): string {
  return result === undefined ? "" : cutObservation(JSON.stringify(result));
}

function madeText({ name }: ToolCall, gave: string): string {
  const given = gave === "" ? "" : ` and gave ${gave}`;
  return `${name} was already called with these arguments in this run${given}, and was not called again.`;
}

function twiceText({ name }: ToolCall): string {
  return `${name} was in one message twice with these arguments, and was called once. ${ON_PURPOSE}`;
}
