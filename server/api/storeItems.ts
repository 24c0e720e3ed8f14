import type { Item } from "@langchain/langgraph";
import { Hono } from "hono";
import { z } from "zod";
import { OwnerStore } from "../runs/ownerStore.js";
import type { ServerStore } from "../schema.js";
import type { Environment } from "../server.js";
import { type Request, jsonObject, notOffered, page, readBody, readQuery } from "./requests.js";

const part = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^.]*$/, "must not contain periods");
const namespace = z.array(part).min(1).max(20);
const anyNamespace = z.array(part).max(20);
const key = z.string().min(1).max(500);

const item = z.object({
  namespace,
  key,
  value: jsonObject,
  index: notOffered("items are found by namespace and filter"),
  ttl: notOffered("items stay until they are deleted"),
});

const search = z.object({
  namespace_prefix: anyNamespace.default([]),
  filter: jsonObject.optional(),
  query: notOffered("items are found by namespace and filter"),
  refresh_ttl: z.boolean().optional(),
  ...page,
});

const list = z.object({
  prefix: anyNamespace.optional(),
  suffix: anyNamespace.optional(),
  max_depth: z.number().int().min(1).optional(),
  limit: page.limit.default(100),
  offset: page.offset,
});

const one = z.object({ namespace: z.string(), key, refresh_ttl: z.string().optional() });

/** What an owner's runs remember beyond their threads. */
export function storeRoutes({ data }: { data: ServerStore }): Hono<Environment> {
  const app = new Hono<Environment>();
  const store = (context: Request) => new OwnerStore(data, context.get("caller").owner);
  app.put("/store/items", async (context) => {
    const wanted = await readBody(context, item);
    await store(context).put(wanted.namespace, wanted.key, wanted.value);
    return context.body(null, 204);
  });
  app.get("/store/items", async (context) => {
    const wanted = readQuery(context, one);
    const found = await store(context).get(wanted.namespace.split("."), wanted.key);
    return context.json(found && itemAnswer(found));
  });
  app.delete("/store/items", async (context) => {
    const wanted = await readBody(context, z.object({ namespace, key }));
    await store(context).delete(wanted.namespace, wanted.key);
    return context.body(null, 204);
  });
  app.post("/store/items/search", async (context) => {
    const { namespace_prefix, filter, limit, offset } = await readBody(context, search);
    const items = await store(context).search(namespace_prefix, { filter, limit, offset });
    return context.json({ items: items.map(itemAnswer) });
  });
  app.post("/store/namespaces", async (context) => {
    const { max_depth: maxDepth, ...wanted } = await readBody(context, list);
    return context.json({
      namespaces: await store(context).listNamespaces({ ...wanted, maxDepth }),
    });
  });
  return app;
}

function itemAnswer({ createdAt, updatedAt, ...rest }: Item) {
  return { ...rest, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
