import { v4 } from "@langchain/core/utils/uuid";
import {
  getConfigTypeSchema,
  getInputTypeSchema,
  getOutputTypeSchema,
  getUpdateTypeSchema,
} from "@langchain/langgraph/zod/schema";
import { Hono } from "hono";
import { z } from "zod";
import { findGraph } from "../../graphs/openGraph.js";
import { ownedBy } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import type { Environment, Server } from "../server.js";
import {
  type Assistant,
  allGraphAssistants,
  assistantId,
  assistantOf,
  findAssistant,
  isOfGraph,
} from "./assistantRows.js";
import {
  type Request,
  contains,
  flag,
  jsonObject,
  ownerSeen,
  page,
  parsed,
  readBody,
  readQuery,
  select,
  tellPage,
  time,
  uuid,
} from "./requests.js";

const search = z.object({
  graph_id: z.string().optional(),
  name: z.string().optional(),
  metadata: jsonObject.optional(),
  sort_by: z.enum(["assistant_id", "graph_id", "created_at", "updated_at", "name"]).optional(),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
  ...page,
});

const fields = {
  config: jsonObject.optional(),
  context: jsonObject.optional(),
  metadata: jsonObject.optional(),
  name: z.string().max(200).optional(),
  description: z.string().max(2_000).optional(),
};

const create = z.object({
  assistant_id: uuid.optional(),
  graph_id: z.string(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
  ...fields,
});

const update = z.object({ graph_id: z.string().optional(), ...fields });

type Served = Pick<Server, "data" | "runs">;

/** Assistants: the graphs, and what callers make of them by settings of their own. */
export function assistantRoutes(server: Served): Hono<Environment> {
  const app = new Hono<Environment>();
  const find = (context: Request) =>
    findAssistant({
      data: server.data,
      name: context.req.param("assistant_id") ?? "",
      owner: ownerSeen(context),
    });
  app.post("/assistants/search", async (context) => {
    const wanted = await readBody(context, search);
    const found = await searchAssistants({ server, context, wanted });
    const { offset, limit } = wanted;
    tellPage(context, { offset, limit, total: found.length });
    const shown = found.slice(offset, offset + limit);
    return context.json(shown.map((assistant) => select(assistant, wanted.select)));
  });
  app.post("/assistants/count", async (context) => {
    const wanted = await readBody(context, search);
    const found = await searchAssistants({ server, context, wanted });
    return context.json(found.length);
  });
  app.post("/assistants", async (context) => {
    const wanted = await readBody(context, create);
    return context.json(await createAssistant({ server, context, wanted }));
  });
  app.get("/assistants/:assistant_id", async (context) => context.json(await find(context)));
  app.patch("/assistants/:assistant_id", async (context) => {
    const wanted = await readBody(context, update);
    return context.json(await updateAssistant({ server, assistant: await find(context), wanted }));
  });
  app.delete("/assistants/:assistant_id", async (context) => {
    const { assistant_id } = ownOnly(await find(context), "deleted");
    await server.data.db
      .deleteFrom("assistants")
      .where("assistant_id", "=", assistant_id)
      .execute();
    return context.json([assistant_id]);
  });
  app.post("/assistants/:assistant_id/latest", async (context) => {
    const { version } = await readBody(context, z.object({ version: z.number().int().min(1) }));
    const assistant = await find(context);
    return context.json(await setLatest({ server, assistant, version }));
  });
  app.post("/assistants/:assistant_id/versions", async (context) => {
    const wanted = await readBody(context, z.object({ metadata: jsonObject.optional(), ...page }));
    return context.json(await versionsOf({ server, assistant: await find(context), ...wanted }));
  });
  formRoutes({ app, server, find });
  return app;
}

/** What an assistant's graph looks like from outside. */
function formRoutes(options: {
  app: Hono<Environment>;
  server: Served;
  find: (context: Request) => Promise<Assistant>;
}): void {
  const { app, server, find } = options;
  const { graphs } = server.runs;
  app.get("/assistants/:assistant_id/graph", async (context) => {
    const { xray } = readQuery(context, z.object({ xray: flag }));
    const graph = await graphs.open((await find(context)).graph_id);
    const drawable = await graph.getGraphAsync({ xray });
    return context.json(drawable.toJSON());
  });
  app.get("/assistants/:assistant_id/schemas", async (context) => {
    const { graph_id } = await find(context);
    return context.json(schemasOf({ graph_id, graph: await graphs.open(graph_id) }));
  });
  app.get("/assistants/:assistant_id/subgraphs/:namespace?", async (context) => {
    const { recurse } = readQuery(context, z.object({ recurse: flag }));
    const { graph_id } = await find(context);
    const graph = await graphs.open(graph_id);
    const found: [string, object][] = [];
    for await (const [name, inner] of graph.getSubgraphsAsync(
      context.req.param("namespace"),
      recurse,
    )) {
      found.push([name, schemasOf({ graph_id, graph: inner })]);
    }
    return context.json(Object.fromEntries(found));
  });
}

function schemasOf({ graph_id, graph }: { graph_id: string; graph: unknown }) {
  const settings = getConfigTypeSchema(graph);
  return {
    graph_id,
    input_schema: getInputTypeSchema(graph),
    output_schema: getOutputTypeSchema(graph),
    state_schema: getUpdateTypeSchema(graph),
    // In LangGraph.js there is one form for both.
    config_schema: settings,
    context_schema: settings,
  };
}

async function searchAssistants(options: {
  server: Served;
  context: Request;
  wanted: z.output<typeof search>;
}): Promise<Assistant[]> {
  const { server, context, wanted } = options;
  const rows = await server.data.db
    .selectFrom("assistants")
    .selectAll()
    .where(ownedBy(context.get("caller")))
    .orderBy("created_at", "desc")
    .execute();
  const all = [...rows.map(assistantOf), ...(await allGraphAssistants())];
  const found = all.filter(
    ({ graph_id, name, metadata }) =>
      (wanted.graph_id === undefined || graph_id === wanted.graph_id) &&
      (wanted.name === undefined || name.toLowerCase().includes(wanted.name.toLowerCase())) &&
      contains(metadata, wanted.metadata ?? {}),
  );
  const { sort_by: key, sort_order } = wanted;
  if (key === undefined) return found;
  const sorted = found.toSorted((a, b) => a[key].localeCompare(b[key]));
  return sort_order === "asc" ? sorted : sorted.toReversed();
}

async function createAssistant(options: {
  server: Served;
  context: Request;
  wanted: z.output<typeof create>;
}): Promise<Assistant> {
  const { server, context, wanted } = options;
  const { data } = server;
  const graph_id = findGraph(wanted.graph_id);
  const now = Math.floor(await data.now());
  const row = {
    assistant_id: wanted.assistant_id ?? v4(),
    owner: context.get("caller").owner,
    graph_id,
    version: 1,
    name: wanted.name ?? "Untitled",
    description: wanted.description ?? null,
    config: JSON.stringify(wanted.config ?? {}),
    context: JSON.stringify(wanted.context ?? {}),
    metadata: JSON.stringify(wanted.metadata ?? {}),
    created_at: now,
    updated_at: now,
  };
  const known = await data.db
    .selectFrom("assistants")
    .selectAll()
    .where("assistant_id", "=", row.assistant_id)
    .executeTakeFirst();
  const isSeen = known && [undefined, known.owner].includes(ownerSeen(context));
  if (isSeen && wanted.if_exists === "do_nothing") return assistantOf(known);
  if (known || isOfGraph(row.assistant_id)) {
    throw new HttpProblem({
      status: 409,
      problem: `assistant ${row.assistant_id} exists already`,
      hint: 'Send another assistant_id, or "if_exists": "do_nothing"',
    });
  }
  await data.transaction(async (db) => {
    await db.insertInto("assistants").values(row).execute();
    const { owner: _owner, updated_at: _updated, ...version } = row;
    await db.insertInto("assistant_versions").values(version).execute();
  });
  return assistantOf(row);
}

async function updateAssistant(options: {
  server: Served;
  assistant: Assistant;
  wanted: z.output<typeof update>;
}): Promise<Assistant> {
  const { server, assistant, wanted } = options;
  const { assistant_id } = ownOnly(assistant, "changed");
  const { data } = server;
  const now = Math.floor(await data.now());
  return await data.transaction(async (db) => {
    const { last } = await db
      .selectFrom("assistant_versions")
      .select((row) => row.fn.max("version").as("last"))
      .where("assistant_id", "=", assistant_id)
      .executeTakeFirstOrThrow();
    const changed = {
      graph_id: wanted.graph_id === undefined ? assistant.graph_id : findGraph(wanted.graph_id),
      version: last + 1,
      name: wanted.name ?? assistant.name,
      description: wanted.description ?? assistant.description,
      config: JSON.stringify(wanted.config ?? assistant.config),
      context: JSON.stringify(wanted.context ?? assistant.context),
      metadata: JSON.stringify({ ...assistant.metadata, ...wanted.metadata }),
    };
    await db
      .insertInto("assistant_versions")
      .values({ assistant_id, created_at: now, ...changed })
      .execute();
    const row = await db
      .updateTable("assistants")
      .set({ ...changed, updated_at: now })
      .where("assistant_id", "=", assistant_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return assistantOf(row);
  });
}

async function setLatest(options: {
  server: Served;
  assistant: Assistant;
  version: number;
}): Promise<Assistant> {
  const { server, assistant, version } = options;
  const { assistant_id } = ownOnly(assistant, "changed");
  const { data } = server;
  const found = await data.db
    .selectFrom("assistant_versions")
    .selectAll()
    .where("assistant_id", "=", assistant_id)
    .where("version", "=", version)
    .executeTakeFirst();
  if (found === undefined) {
    throw new HttpProblem({
      status: 404,
      problem: `assistant ${assistant_id} has no version ${version}; its latest is ${assistant.version}`,
    });
  }
  const { created_at: _created, ...latest } = found;
  const row = await data.db
    .updateTable("assistants")
    .set({ ...latest, updated_at: Math.floor(await data.now()) })
    .where("assistant_id", "=", assistant_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return assistantOf(row);
}

async function versionsOf(options: {
  server: Served;
  assistant: Assistant;
  metadata?: Record<string, unknown>;
  limit: number;
  offset: number;
}): Promise<object[]> {
  const { server, assistant, metadata = {}, limit, offset } = options;
  if (isOfGraph(assistant.assistant_id)) return [assistant].slice(offset, offset + limit);
  const rows = await server.data.db
    .selectFrom("assistant_versions")
    .selectAll()
    .where("assistant_id", "=", assistant.assistant_id)
    .orderBy("version", "desc")
    .execute();
  return rows
    .map((row) => ({
      ...row,
      config: parsed(row.config),
      context: parsed(row.context),
      metadata: parsed(row.metadata),
      created_at: time(row.created_at),
    }))
    .filter((version) => contains(version.metadata, metadata))
    .slice(offset, offset + limit);
}

/** @throws HttpProblem 422 for a graph as it is */
function ownOnly(assistant: Assistant, what: string): Assistant {
  const { assistant_id, graph_id } = assistant;
  if (assistantId(graph_id) !== assistant_id) return assistant;
  throw new HttpProblem({
    status: 422,
    problem: `the assistant of graph ${graph_id} itself cannot be ${what}`,
    hint: "Create one of your own with its graph_id (POST /assistants)",
  });
}
