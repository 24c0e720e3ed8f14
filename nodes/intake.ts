import { randomUUID } from "node:crypto";
import { HumanMessage } from "@langchain/core/messages";
import { InvalidSetting } from "../errors.js";
import { mendedHistory } from "../state/history.js";
import { FRESH_RUN, type GraphState, type StateUpdate } from "../state/state.js";

/**
 * First in every graph: takes the request (given, else the last human message) and resets the
 * channels of a run, so that a thread's next request starts with fresh limits. `messages` stay, and
 * become a valid history again where the last run was broken off.
 *
 * @throws InvalidSetting when there is neither a request nor a human message
 */
export function intake(state: GraphState): StateUpdate {
  const given = state.request.trim();
  const request = given || lastHumanText(state);
  if (!request) {
    throw new InvalidSetting({
      setting: "request",
      problem: "is empty",
      hint: "give a request in words, or messages that end with one of a human",
    });
  }
  return {
    ...FRESH_RUN,
    messages: [
      ...mendedHistory(state.messages),
      ...(given ? [new HumanMessage({ id: randomUUID(), content: given })] : []),
    ],
    request: "",
    run: { id: randomUUID(), request },
  };
}

function lastHumanText({ messages }: GraphState): string {
  return messages.findLast((message) => message.type === "human")?.text.trim() ?? "";
}
