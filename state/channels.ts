import type { BaseMessage } from "@langchain/core/messages";
import { type Messages, messagesStateReducer } from "@langchain/langgraph";
import { registry, withLangGraph } from "@langchain/langgraph/zod";
import { z } from "zod";
import { object } from "zod/mini";

/**
 * The conversation of a thread; writes are merged by message id. Takes messages in any form LangChain
 * understands, since Studio and other clients send plain objects.
 */
export const conversation = withLangGraph(
  messageList() as z.ZodType<BaseMessage[], BaseMessage[]>,
  {
    reducer: { fn: messagesStateReducer, schema: messageList() as z.ZodType<Messages, Messages> },
    jsonSchemaExtra: { langgraph_type: "messages" },
  },
);

/** LangGraph reads and checks messages itself; a custom type would have no JSON Schema. */
function messageList(): unknown {
  return z.unknown().default([]).describe("The conversation; its last user message is the request");
}

/**
 * Channels that each write replaces and that start with their schema's defaults. They form a Zod object, not a
 * `StateSchema`, because LangGraph's server shows no settings form for graphs that use one.
 */
export function channels<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  // LangGraph makes a partial schema for each update of a stage, which `z.object` compiles for its one use.
  const schema = object(shape);
  for (const channel of Object.values(shape)) {
    // LangGraph reads a schema's default only if the schema has an entry.
    if (!registry.has(channel)) registry.add(channel, {});
  }
  return schema;
}
