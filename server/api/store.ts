import type { Item } from "@langchain/langgraph-checkpoint";
import { Hono } from "hono";
import { z } from "zod";
import { ItemStore } from "../runs/itemStore.js";
import type { Environment, Server } from "../server.js";
import { type Request, jsonObject, page, readBody, readQuery, refused } from "./requests.js";

const label = z.string().regex(/^[^.]+$/, "must not be empty nor contain a period");

const namespace = z.array(label).min(1);

const search = z.object({
  namespace_prefix: z.array(label).default([]),
  filter: jsonObject.optional(),
  query: z.string().optional(),
  ...page,
});

const namespaces = z.object({
  prefix: z.array(label).optional(),
  suffix: z.array(label).optional(),
  max_depth: z.number().int().min(1).optional(),
  ...page,
});

/** Items that graphs and clients keep across threads, separately for each owner. */
export function storeRoutes({ data }: Pick<Server, "data">): Hono<Environment> {
  const app = new Hono<Environment>();
  const storeOf = (context: Request) => new ItemStore(data, context.get("caller").owner);
  app.put("/store/items", async (context) => {
    const form = z.object({ namespace, key: z.string(), value: jsonObject });
    const { namespace: place, key, value } = await readBody(context, form);
    await storeOf(context).put(place, key, value);
    return context.body(null, 204);
  });
  app.get("/store/items", async (context) => {
    const form = z.object({ namespace: z.string().default(""), key: z.string() });
    const { namespace: place, key } = readQuery(context, form);
    const item = await storeOf(context).get(place.split("."), key);
    return context.json(item ? itemAnswer(item) : null);
  });
  app.delete("/store/items", async (context) => {
    const { namespace: place, key } = await readBody(
      context,
      z.object({ namespace, key: z.string() }),
    );
    await storeOf(context).delete(place, key);
    return context.body(null, 204);
  });
  app.post("/store/items/search", async (context) => {
    const { namespace_prefix, query, ...how } = await readBody(context, search);
    if (query !== undefined && query !== "") {
      throw refused(
        "query: this server does not search items by meaning",
        "Use namespace_prefix and filter",
      );
    }
    const items = await storeOf(context).search(namespace_prefix, how);
    return context.json({ items: items.map(itemAnswer) });
  });
  app.post("/store/namespaces", async (context) => {
    const { max_depth: maxDepth, ...how } = await readBody(context, namespaces);
    return context.json(await storeOf(context).listNamespaces({ ...how, maxDepth }));
  });
  return app;
}

function itemAnswer({ namespace: place, key, value, createdAt, updatedAt }: Item) {
  return { namespace: place, key, value, created_at: createdAt, updated_at: updatedAt };
}
