import type { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { UnknownName } from "../errors.js";
import { STOP } from "../tools/control.js";
import type { ToolRecord } from "../tools/tool.js";

/** Most characters of unreadable arguments that the model is shown. */
const SHOWN_LENGTH = 200;

/** Why a call is not executed, in words for the model; undefined when nothing speaks against it. */
export function refusal(options: {
  call: ToolCall;
  /** The reply with the call. */
  reply: AIMessage;
  /** The tools on offer by their wire names. */
  offered: ReadonlyMap<string, ToolRecord>;
}): string | undefined {
  const { call, reply, offered } = options;
  const unreadable = reply.invalid_tool_calls?.find(({ id }) => id === call.id);
  if (unreadable) {
    return `the arguments of ${call.name} are not a JSON object: ${unreadable.args?.slice(0, SHOWN_LENGTH)}. Send the call again with valid JSON.`;
  }
  if (call.name === STOP.name) {
    return (reply.tool_calls ?? []).length > 1
      ? `${STOP.name} came together with other calls, before their results were known. Read the results, then call ${STOP.name} alone.`
      : `${STOP.name} needs a message with the final answer (text, not empty) and solved (true or false).`;
  }
  if (offered.has(call.name)) return undefined;
  const available = [...offered.keys(), STOP.name];
  return `${new UnknownName({ kind: "tool", wanted: call.name, available }).message}. Use only the tools on offer.`;
}
