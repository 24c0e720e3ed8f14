import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { valueText } from "../../plans/grounding/valueText.js";
import { splitConversation } from "../../state/history.js";
import type { Call, GraphState } from "../../state/state.js";
import { FINISH, STOP } from "../../tools/control.js";
import { numbersOf, soleResult, taskText } from "./grounded.js";
import { resultsInWords } from "../shared/resultsInWords.js";

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

/**
 * The reply that ends the work of a model going in circles, in the graph's own words: with the result if it
 * covers the whole request, else as unsolved, or with another try if the search has one.
 *
 * @param options.calls those the answer is about
 */
export function closingReply(options: {
  state: GraphState;
  calls: readonly Call[];
  ending: "stop" | "finish";
}): AIMessage {
  const { state, calls, ending } = options;
  const result = wholeMatter(state, calls);
  const solved = result !== undefined;
  const found = solved ? "" : resultsInWords({ calls: [...calls] });
  const said = solved ? `The result is ${valueText(result)}.` : IN_CIRCLES;
  const message = [said, found].filter(Boolean).join(" ");
  const end =
    ending === "stop"
      ? { name: STOP.name, args: { message, solved } }
      : {
          name: FINISH.name,
          args: solved
            ? { return_type: "give_answer", final_answer: said, solved }
            : { return_type: "give_up_and_restart", final_answer: said },
        };
  return new AIMessage({
    content: "",
    tool_calls: [{ id: `call_${randomUUID()}`, type: "tool_call", ...end }],
  });
}

/** What stands between the parts of a request. */
const PARTED = /[,;:.?!]\s+|\n+|\b(?:and|then)\b\s*/iu;

/** A part of fewer words rarely says what to do. */
const FEWEST_WORDS = 3;

/**
 * The one result, though nobody said it is the answer: only if the request contains numbers that all went into
 * calls, and no more parts than there were different calls.
 */
function wholeMatter(
  state: GraphState,
  calls: readonly Call[],
): string | number | boolean | undefined {
  const request = taskText(state);
  if (numbersOf(request).length === 0) return undefined;
  const made = new Set(calls.filter(({ error }) => error === undefined).map(asWritten));
  const parts = request.split(PARTED).filter((part) => part.split(/\s+/u).length >= FEWEST_WORDS);
  return parts.length > Math.max(made.size, 1) ? undefined : soleResult({ state, calls });
}

function asWritten({ tool, args }: Call): string {
  return JSON.stringify([tool, args]);
}
