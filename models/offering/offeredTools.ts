import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Settings } from "../../state/settings.js";
import { asCalled, CALL_SCHEMA, callerText, withOwnCalls } from "./calledTools.js";
import type { BoundTool } from "../prompt.js";
import type { Finder, NamedTool } from "./namedTools.js";
import { encodable, type Searched } from "./nativeTools.js";

/** What a model is offered, and what its conversation has found. */
interface Offering extends Pick<Searched, "groupOf"> {
  model: object;
  finder: Finder;
  /** The name of the fixed tool. */
  caller: string;
  /** What every request tells of the library's tools, if they are called by the fixed tool; may be empty. */
  told: () => string;
  size: () => number;
  isFound: (name: string) => boolean;
  /** See `withOwnCalls`. */
  toolOf: (name: string, args: Record<string, unknown>) => string | undefined;
  /** What was found for a message of the user, before the model was asked. */
  foundFor: (message: BaseMessage) => NamedTool[];
  /** What a result of a search has found. */
  foundBy: (message: ToolMessage) => NamedTool[];
  /** What of it no earlier one had found. */
  loadedBy: (message: ToolMessage) => NamedTool[];
  /** All that may be found, in a fixed order. */
  library: () => NamedTool[];
}

/** A tool as sent to a provider, besides the agent's own. */
type Sent = Record<string, unknown>;

/** A request with the tools found, after what never changes. */
export interface Offered {
  /** The agent's own tools, and others: the same in each request. */
  sent: <Tool extends object>(own: readonly Tool[]) => (Tool | Sent)[];
  messages: (messages: BaseMessage[]) => BaseMessage[];
  /** A reply of the model as the agent has it. */
  read: (reply: AIMessage) => AIMessage;
  /** The tools that the model may call besides those that are sent, for calls that it writes as text. */
  callable?: readonly BoundTool[];
  settings?: Record<string, unknown>;
}

/** Found tools in the encoding that is chosen, or that suits the model; undefined if they are to be bound. */
export function offeredTools(offer: Settings["offer"], offering: Offering): Offered | undefined {
  const { model, caller, finder } = offering;
  const encoding = encodable(model, offering.size, offer === "native");
  if (offer === "bound" || (offer === "auto" && encoding.isLocal)) return undefined;
  if (offer !== "called" && encoding.native) {
    const { native } = encoding;
    return {
      settings: native.settings,
      sent: (own) => native.tools(own, { library: offering.library, finder }),
      messages: (messages) => native.messages(messages, offering),
      read: (reply) => native.read(reply, finder),
    };
  }
  const fixed = { name: caller, description: callerText(offering.told()), schema: CALL_SCHEMA };
  return {
    sent: (own) => [...own, fixed],
    messages: (messages) => asCalled(messages, offering),
    read: (reply) => withOwnCalls(reply, offering),
  };
}
