import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { groupOf } from "../nodes/programs/functionDeclarations.js";
import type { ToolRecord } from "../tools/tool.js";
import { asCalled, callerTool, toldTools, withOwnCalls } from "./calledTools.js";
import { searchDescription } from "./controlTools.js";
import { type NamedTool, shownTool } from "./foundTools.js";
import type { MiddlewareOptions } from "./middleware.js";
import { encodable } from "./nativeTools.js";
import type { Toolbox } from "./toolbox.js";

/** What a model is offered, and what its conversation has found. */
interface Offering {
  toolbox: Toolbox;
  model: object;
  /** The name of the fixed tool. */
  caller: string;
  /** The found tools to show. */
  tools: readonly NamedTool[];
  /** A tool of the library, by the name that the agent has for it. */
  record: (name: string) => ToolRecord | undefined;
  /** See `withOwnCalls`. */
  toolOf: (name: string, args: Record<string, unknown>) => string | undefined;
  foundFor: (message: BaseMessage) => NamedTool[];
  foundBy: (message: ToolMessage) => NamedTool[];
  loadedBy: (message: ToolMessage) => NamedTool[];
  library: () => NamedTool[];
}

type Sent = Record<string, unknown> | ReturnType<typeof shownTool>;

/** A request with found tools. */
interface Offered {
  /** The agent's own tools, and others. */
  sent: <Tool extends object>(own: readonly Tool[]) => (Tool | Sent)[];
  messages: (messages: BaseMessage[]) => BaseMessage[];
  /** A reply of the model as the agent has it. */
  read: (reply: AIMessage) => AIMessage;
  settings?: Record<string, unknown>;
}

/** Found tools in the encoding that is chosen, or that suits the model. */
export function offeredTools(
  offer: NonNullable<MiddlewareOptions["offer"]>,
  offering: Offering,
): Offered {
  const { toolbox, model, caller, tools } = offering;
  const encoding = encodable(model, () => toolbox.all().length, offer === "native");
  const isFound = (name: string) => offering.record(name) !== undefined;
  const isNative = (offer === "auto" && !encoding.isLocal) || offer === "native";
  if (isNative && encoding.native) {
    const { native } = encoding;
    const groups = toolbox.groups();
    const about = new Map(groups.list.map((group) => [group.name, group]));
    return {
      ...native,
      sent: (own) =>
        native.tools(own, {
          library: offering.library,
          description: searchDescription(toolbox),
        }),
      messages: (messages) =>
        native.messages(messages, {
          ...offering,
          groupOf(name) {
            const record = offering.record(name);
            return record && about.get(groupOf(groups.functionName(record)) ?? "");
          },
        }),
    };
  }
  if (offer === "bound" || (offer === "auto" && encoding.isLocal))
    return {
      sent: (own) => [...own, ...tools.map(shownTool)],
      messages: (messages) => messages,
      read: (reply) => reply,
    };
  const told = toldTools(toolbox, offering.library);
  return {
    sent: (own) => [...own, callerTool(caller, told)],
    messages: (messages) => asCalled(messages, { ...offering, isFound }),
    read: (reply) => withOwnCalls(reply, { caller, toolOf: offering.toolOf }),
  };
}
