import type { BaseMessage } from "@langchain/core/messages";
import { windowAfter } from "../models/chat/window.js";
import { splitConversation } from "../state/history.js";
import { shortenedConversation, tokensOf } from "../state/shortened.js";

/** Most estimated tokens of a prompt, by model, as learnt from refusals. */
export type Windows = WeakMap<object, number>;

/** LangChain's clients say themselves how long a reply may be. */
const REPLY_UNKNOWN = 0;

/**
 * Asks an agent's model with as much of the conversation as its window holds. If the model refuses a prompt as too long,
 * it is asked again with less, and from then on.
 *
 * @param options.around estimated tokens of the prompt besides the messages
 * @throws what the model throws if it has another reason, or if the conversation cannot be shortened further
 */
export async function askWithinWindow<Reply>(
  windows: Windows,
  options: {
    model: object;
    messages: BaseMessage[];
    around: number;
    ask: (messages: BaseMessage[]) => Promise<Reply>;
  },
): Promise<{ reply: Reply; shortened: number }> {
  const { model, messages, around, ask } = options;
  let shown = { messages, shortened: 0 };
  const shorten = () => {
    const most = (windows.get(model) ?? Infinity) - around;
    if (tokensOf(shown.messages) <= most) return false;
    const { earlier, since, shortened } = shortenedConversation(
      splitConversation({ messages }),
      most,
    );
    const before = tokensOf(shown.messages);
    shown = { messages: [...earlier, ...since], shortened };
    return tokensOf(shown.messages) < before;
  };
  shorten();
  while (true) {
    try {
      return { reply: await ask(shown.messages), shortened: shown.shortened };
    } catch (error) {
      const tokens = tokensOf(shown.messages) + around;
      const window = windowAfter(error, { tokens, reply: REPLY_UNKNOWN });
      if (!window) throw error;
      windows.set(model, window.prompt);
      if (!shorten()) throw error;
    }
  }
}
