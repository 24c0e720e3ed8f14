import type { Item } from "@langchain/langgraph";
import { Hono } from "hono";
import { z } from "zod";
import { isShown } from "../access/projectAuth.js";
import { forbidden } from "../problem.js";
import { MOST_READ, OwnerStore } from "../runs/ownerStore.js";
import type { ServerStore } from "../schema.js";
import type { Environment } from "../server.js";
import { type Request } from "./requests.js";
import { body, flag, jsonObject, notOffered, page, query } from "./taking.js";

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

const one = z.object({ namespace: z.string(), key, refresh_ttl: flag });

/** What an owner's runs remember beyond their threads. */
export function storeRoutes({ data }: { data: ServerStore }): Hono<Environment> {
  const app = new Hono<Environment>();
  const store = (context: Request) => new OwnerStore(data, context.get("caller").owner);
  app.put("/store/items", body(item), async (context) => {
    const wanted = context.req.valid("json");
    const { namespace, key, value } = wanted;
    const known = await store(context).get(namespace, key);
    requireShown(context, ...(known ? [known, wanted] : [wanted]));
    await store(context).put(namespace, key, value);
    return context.body(null, 204);
  });
  app.get("/store/items", query(one), async (context) => {
    const wanted = context.req.valid("query");
    const found = await store(context).get(wanted.namespace.split("."), wanted.key);
    return context.json(found && isSeen(context, found) ? itemAnswer(found) : null);
  });
  app.delete("/store/items", body(z.object({ namespace, key })), async (context) => {
    const wanted = context.req.valid("json");
    requireShown(context, (await store(context).get(wanted.namespace, wanted.key)) ?? wanted);
    await store(context).delete(wanted.namespace, wanted.key);
    return context.body(null, 204);
  });
  app.post("/store/items/search", body(search), async (context) => {
    const { namespace_prefix, filter, limit, offset } = context.req.valid("json");
    const { project } = context.get("caller");
    const listed = project ? { limit: MOST_READ } : { limit, offset };
    const found = await store(context).search(namespace_prefix, { filter, ...listed });
    const seen = found.filter((each) => isSeen(context, each));
    const shown = project ? seen.slice(offset, offset + limit) : seen;
    return context.json({ items: shown.map(itemAnswer) });
  });
  app.post("/store/namespaces", body(list), async (context) => {
    const { max_depth: maxDepth, limit, offset, ...wanted } = context.req.valid("json");
    const listed = { ...wanted, maxDepth, limit: MOST_READ, offset: 0 };
    const all = await store(context).listNamespaces(listed);
    const seen = all.filter((each) => isSeen(context, { namespace: each }));
    return context.json({ namespaces: seen.slice(offset, offset + limit) });
  });
  return app;
}

type Place = Partial<Pick<Item, "namespace" | "key" | "value">>;

/** Whether a project's rules let its user see an item; everybody else sees what is in their store. */
function isSeen(context: Request, { namespace, key, value }: Place): boolean {
  return isShown(context.get("caller"), "store", { ...value, namespace, ...(key && { key }) });
}

/** @throws HttpProblem 403 if a project's rules do not let its user see all of them */
function requireShown(context: Request, ...items: readonly Place[]): void {
  if (items.every((each) => isSeen(context, each))) return;
  throw forbidden("the project's rules do not allow this item");
}

function itemAnswer({ createdAt, updatedAt, ...rest }: Item) {
  return { ...rest, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
