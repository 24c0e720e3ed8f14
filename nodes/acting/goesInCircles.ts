import { randomUUID } from "node:crypto";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { splitConversation } from "../../state/history.js";
import type { Call, GraphState } from "../../state/state.js";
import { FINISH, STOP } from "../../tools/control.js";
import { soundsReading } from "../../tools/library/words/relatedWords.js";
import { resultsInWords } from "../policy/callTexts.js";
import { allTools, type ToolOffer } from "../policy/toolOffer.js";
import { hasSucceeded } from "../../state/calls.js";

/** This many consecutive replies that only repeat earlier calls and get the same results end the work. */
const MOST_REPEATS = 3;

/**
 * Nobody asks for the same change with the same result more often. Tools whose effects are unknown count as changes, unless
 * they are called like what only reads.
 */
const MOST_SAME_CHANGES = 10;

/** What a model is told that has one reply left before its work is ended. */
export const ANSWER_NOW =
  "You have made these calls before, with the same results. Answer now, from the results above.";

/**
 * Whether the model is going in circles: its last replies contain only calls it made before, with the same
 * answers. A repeated change does not count, since something happened, until it has been made many times.
 *
 * @returns `ends` if the work has to be ended, `answers` if only the answer may follow
 */
export function goesInCircles(state: GraphState, offer: ToolOffer): "ends" | "answers" | undefined {
  const tools = [...allTools(offer).values()];
  const mayChange = tools.filter((tool) => tool.effects === "write" && !soundsReading(tool));
  const ids = new Set(mayChange.map(({ id }) => id));
  const changes = state.calls.filter((call) => hasSucceeded(call) && ids.has(call.tool));
  const { since } = splitConversation(state);
  const answers = new Map(
    since.flatMap((message) =>
      ToolMessage.isInstance(message) ? [[message.tool_call_id, message.text] as const] : [],
    ),
  );
  const seen = new Map<string, number>();
  let repeats = 0;
  for (const message of since) {
    if (!AIMessage.isInstance(message) || !message.tool_calls?.length) continue;
    const made = message.tool_calls.map(({ id = "", name, args }) => ({
      text: JSON.stringify([name, args, answers.get(id)]),
      most: changes.some((call) => call.id === id) ? MOST_SAME_CHANGES : 1,
    }));
    const isFruitless = made.every(({ text, most }) => (seen.get(text) ?? 0) >= most);
    repeats = isFruitless ? repeats + 1 : 0;
    for (const { text } of made) seen.set(text, (seen.get(text) ?? 0) + 1);
  }
  if (repeats >= MOST_REPEATS) return "ends";
  return repeats === MOST_REPEATS - 1 ? "answers" : undefined;
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
