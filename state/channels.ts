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
  const schema = object(shape);
  for (const channel of Object.values(shape)) {
    // LangGraph reads a schema's default only if the schema has an entry.
    if (!registry.has(channel)) registry.add(channel, {});
  }
  return schema;
}

/**
 * Channels as a graph is to check what its stages write. For each update LangGraph makes two partial schemas of all channels
 * and reads each value with one of them as a state of its own. This one makes no part of them that is not read, and reads
 * the channels that are given and no other.
 */
export function written<Schema extends z.core.$ZodObject>(schema: Schema): Schema {
  const { def } = schema._zod;
  const fields: z.core.$ZodShape = def.shape;
  const Written = z.core.$constructor("Written", (inst: z.core.$ZodObject, own: typeof def) => {
    const { shape } = own;
    z.core.$ZodObject.init(inst, own);
    const [first = ""] = Object.keys(shape);
    if (!Object.getOwnPropertyDescriptor(shape, first)?.get)
      Object.defineProperty(own, "shape", { value: deferred(shape), enumerable: true });
    inst._zod.parse = (payload, context) => {
      const values = Object.entries(payload.value as object).map(([name, value]) => {
        const read = fields[name]?._zod.run({ value, issues: [] }, context);
        if (read instanceof Promise) throw new z.core.$ZodAsyncError();
        payload.issues.push(...z.core.util.prefixIssues(name, read?.issues ?? []));
        return [name, read ? read.value : value];
      });
      payload.value = Object.fromEntries(values);
      return payload;
    };
  });
  return new Written({ ...def }) as Schema;
}

/** A shape whose channels Zod asks for one by one, and makes optional when it does. */
function deferred(shape: z.core.$ZodShape): z.core.$ZodShape {
  const held: Record<string, z.core.$ZodType> = { ...shape };
  const accessors = Object.keys(held).map((name) => [
    name,
    {
      get: () => held[name],
      set: (next: z.core.$ZodType) => (held[name] = next),
      enumerable: true,
    },
  ]);
  return Object.defineProperties({}, Object.fromEntries(accessors) as PropertyDescriptorMap);
}
