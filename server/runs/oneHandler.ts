import { BaseCallbackHandler } from "@langchain/core/callbacks/base";

/** What the handlers of a run are told of. */
const EVENTS = [
  "handleChainStart",
  "handleChainEnd",
  "handleChainError",
  "handleChatModelStart",
  "handleLLMEnd",
  "handleLLMError",
  "handleToolStart",
  "handleToolEnd",
  "handleToolError",
] as const;

/** Several handlers as one: LangChain waits for each by itself, and also with each token of a reply, of which none hears. */
export class OneHandler extends BaseCallbackHandler {
  readonly name = "tulipgraph_run";

  constructor(handlers: readonly BaseCallbackHandler[]) {
    super({ _awaitHandler: true });
    for (const event of EVENTS) {
      const tellAll = (...told: unknown[]) => {
        for (const handler of handlers) (handler[event] as Tell | undefined)?.apply(handler, told);
      };
      Object.assign(this, { [event]: tellAll });
    }
  }
}

type Tell = (...told: unknown[]) => void;
