import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { splitConversation } from "../../state/conversation.js";
import type { Call, GraphState } from "../../state/state.js";
import { FINISH, STOP } from "../../tools/control.js";
import { resultsInWords } from "../shared/callTexts.js";

/** This many consecutive replies that only repeat earlier calls and get the same results end the work. */
const MOST_REPEATS = 3;

/** What a model is told that has one reply left before its work is ended. */
export const ANSWER_NOW =
  "You have made these calls before, with the same results. Answer now, from the results above.";

/** A call as it appears in the conversation. */
interface Exchange {
  id: string;
  name: string;
  args: unknown;
  answer: string;
}

/**
 * Whether the model is going in circles: its last replies contain only calls it made before, with the same
 * answers. A repeated change does not count, since something happened.
 *
 * @param isWrite whether a tool changes something, by its id
 * @returns `ends` if the work has to be ended, `answers` if only the answer may follow
 */
export function goesInCircles(
  state: GraphState,
  isWrite: (tool: string) => boolean,
): "ends" | "answers" | undefined {
  const changes = new Set(
    state.calls
      .filter(({ tool, error, refused }) => error === undefined && !refused && isWrite(tool))
      .map(({ id }) => id),
  );
  const rounds = roundsOf(splitConversation(state).since);
  const isFruitless = (round: readonly Exchange[], at: number) =>
    round.every(
      (one) =>
        !changes.has(one.id) && rounds.slice(0, at).some((other) => other.some(isSameAs(one))),
    );
  const fruitful = rounds.findLastIndex((round, at) => !isFruitless(round, at));
  const repeats = rounds.length - 1 - fruitful;
  if (repeats >= MOST_REPEATS) return "ends";
  return repeats === MOST_REPEATS - 1 ? "answers" : undefined;
}

function isSameAs({ name, args, answer }: Exchange): (other: Exchange) => boolean {
  return (other) =>
    other.name === name && other.answer === answer && isDeepStrictEqual(other.args, args);
}

/** The replies with calls, each with the answers to its calls. */
function roundsOf(messages: readonly BaseMessage[]): Exchange[][] {
  const answers = new Map(
    messages.flatMap((message) =>
      ToolMessage.isInstance(message) ? [[message.tool_call_id, message.text] as const] : [],
    ),
  );
  return messages.flatMap((message) => {
    if (!AIMessage.isInstance(message) || !message.tool_calls?.length) return [];
    return [
      message.tool_calls.map(({ id = "", name, args }) => ({
        id,
        name,
        args,
        answer: answers.get(id) ?? "",
      })),
    ];
  });
}

const IN_CIRCLES = "The same calls were made again and again without an answer.";

/** The reply that ends the work of a model going in circles: unsolved, or with another try if the search has one. */
export function closingReply(calls: readonly Call[], ending: "stop" | "finish"): AIMessage {
  const message = [IN_CIRCLES, resultsInWords({ calls: [...calls] })].filter(Boolean).join(" ");
  const end =
    ending === "stop"
      ? { name: STOP.name, args: { message, solved: false } }
      : {
          name: FINISH.name,
          args: { return_type: "give_up_and_restart", final_answer: IN_CIRCLES },
        };
  return new AIMessage({
    content: "",
    tool_calls: [{ id: `call_${randomUUID()}`, type: "tool_call", ...end }],
  });
}
