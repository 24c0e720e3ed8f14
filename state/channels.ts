import type { BaseMessage } from "@langchain/core/messages";
import { type Messages, messagesStateReducer } from "@langchain/langgraph";
import { registry, withLangGraph } from "@langchain/langgraph/zod";
import { z } from "zod";

/**
 * The conversation of a thread: what is written is merged into it by message id. Takes messages in
 * any form that LangChain understands, since Studio and other clients send plain objects.
 */
export const conversation = withLangGraph(
  messageList() as z.ZodType<BaseMessage[], BaseMessage[]>,
  {
    reducer: {
      fn: messagesStateReducer,
      schema: messageList() as z.ZodType<Messages, Messages>,
    },
    jsonSchemaExtra: { langgraph_type: "messages" },
  },
);

/** LangGraph reads and checks messages itself; a custom type would have no JSON Schema. */
function messageList(): unknown {
  return z.unknown().default([]).describe("The conversation; its last message of a user counts");
}

/**
 * Channels that are replaced by each write, and have the defaults of their schemas before the first.
 * They are a Zod object and no `StateSchema`, because LangGraph's server offers no form for the
 * settings of a graph whose state is one.
 */
export function channels<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = z.object(shape);
  for (const channel of Object.values(shape)) {
    // An entry of its own is what makes LangGraph look at a schema's default.
    if (!registry.has(channel)) registry.add(channel, {});
  }
  return schema;
}
