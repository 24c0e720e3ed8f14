import { v4 } from "@langchain/core/utils/uuid";
import {
  getConfigTypeSchema,
  getInputTypeSchema,
  getOutputTypeSchema,
  getUpdateTypeSchema,
} from "@langchain/langgraph/zod/schema";
import { Hono } from "hono";
import { z } from "zod";
import { findGraph } from "../../graphs/ownGraphs.js";
import { type GraphSchemas, projectGraph, typedSchemas } from "../../graphs/projects.js";
import { ownedBy, ownerSeen } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { conflict } from "../problem.js";
import type { ServerStore } from "../schema.js";
import type { Environment } from "../server.js";
import {
  type Assistant,
  assistantOf,
  assistantVersions,
  findAssistant,
  graphAssistants,
  isOfGraph,
  keepVersion,
  requireOwn,
  requireSettings,
  setLatest,
  updateAssistant,
  updateForm,
} from "./assistantRows.js";
import type { Served } from "./createRun.js";
import { type Request, contains, parsed, select, tellPage } from "./requests.js";
import { body, check, flag, jsonObject, page, query, uuid } from "./taking.js";
import { deleteThread } from "./threads.js";
import type { ServedGraphs } from "../runs/servedGraphs.js";

const search = z.object({
  graph_id: z.string().optional(),
  name: z.string().optional(),
  metadata: jsonObject.optional(),
  sort_by: z.enum(["assistant_id", "graph_id", "created_at", "updated_at", "name"]).optional(),
  sort_order: z.enum(["asc", "desc"]).default("desc"),
  select: z.array(z.string()).optional(),
  ...page,
});

const create = updateForm.extend({
  assistant_id: uuid.optional(),
  graph_id: z.string(),
  if_exists: z.enum(["raise", "do_nothing"]).default("raise"),
});

const latest = z.object({ version: z.coerce.number().int().min(1) });

const versions = z.object({ metadata: jsonObject.optional(), ...page });

/** Deletes the caller's threads that an assistant has run on, or that say so. */
async function deleteThreadsOf(server: Served, context: Request, assistantId: string) {
  const caller = context.get("caller");
  const own = server.data.db.selectFrom("threads").selectAll().where(ownedBy(caller));
  const rows = await own.execute();
  for (const row of rows.filter((one) => isShown(caller, "threads", one.metadata)))
    if (parsed(row.metadata)["assistant_id"] === assistantId) await deleteThread(server, row);
}

/** Assistants: the graphs, and graphs with a caller's own settings. */
export function assistantRoutes(server: Served): Hono<Environment> {
  const { data, runs } = server;
  const app = new Hono<Environment>();
  const find = (context: Request) =>
    findAssistant(data, context.req.param("assistant_id") ?? "", context.get("caller"));
  app.post("/assistants/search", body(search), async (context) => {
    const wanted = context.req.valid("json");
    const found = await searchAssistants(server, context, wanted);
    const { offset, limit } = wanted;
    tellPage(context, { offset, limit, total: found.length });
    const shown = found.slice(offset, offset + limit);
    return context.json(shown.map((assistant) => select(assistant, wanted.select)));
  });
  app.post("/assistants/count", body(search), async (context) => {
    const wanted = context.req.valid("json");
    const found = await searchAssistants(server, context, wanted);
    return context.json(found.length);
  });
  app.post("/assistants", body(create), async (context) => {
    const wanted = context.req.valid("json");
    return context.json(await createAssistant(data, context, wanted));
  });
  app.get("/assistants/:assistant_id", async (context) => context.json(await find(context)));
  app.patch("/assistants/:assistant_id", body(updateForm), async (context) => {
    const wanted = context.req.valid("json");
    return context.json(await updateAssistant(data, await find(context), wanted));
  });
  app.delete(
    "/assistants/:assistant_id",
    query(z.object({ delete_threads: flag })),
    async (context) => {
      const { delete_threads = false } = context.req.valid("query");
      const assistant = await find(context);
      requireOwn(assistant, "deleted");
      const { assistant_id } = assistant;
      if (delete_threads) await deleteThreadsOf(server, context, assistant_id);
      await data.db.deleteFrom("assistants").where("assistant_id", "=", assistant_id).execute();
      return context.json([assistant_id]);
    },
  );
  app.post("/assistants/:assistant_id/versions", body(versions), async (context) => {
    const { metadata = {}, offset, limit } = context.req.valid("json");
    const all = await assistantVersions(data, await find(context));
    const found = all.filter((version) => contains(version.metadata, metadata));
    return context.json(found.slice(offset, offset + limit));
  });
  app.post(
    "/assistants/:assistant_id/latest",
    query(latest.partial()),
    body(latest.partial()),
    async (context) => {
      // LangGraph's document has it in the query, its SDKs in the body.
      const given = { ...context.req.valid("query"), ...context.req.valid("json") };
      const { version } = check(latest, given, "body");
      return context.json(await setLatest(data, await find(context), version));
    },
  );
  graphRoutes(app, runs.graphs, find);
  return app;
}

/** What an assistant's graph looks like: its drawing and its schemas. */
function graphRoutes(
  app: Hono<Environment>,
  graphs: ServedGraphs,
  find: (context: Request) => Promise<Assistant>,
): void {
  app.get("/assistants/:assistant_id/graph", query(z.object({ xray: flag })), async (context) => {
    const { xray } = context.req.valid("query");
    const { graph_id, config } = await find(context);
    const graph = await graphs.open(graph_id, config);
    const drawable = await graph.getGraphAsync({ xray });
    return context.json(drawable.toJSON());
  });
  app.get("/assistants/:assistant_id/schemas", async (context) => {
    const { graph_id, config } = await find(context);
    const graph = await graphs.open(graph_id, config);
    return context.json({ graph_id, ...schemaAnswer(await schemasOf(graph_id, graph)) });
  });
  app.get(
    "/assistants/:assistant_id/subgraphs/:namespace?",
    query(z.object({ recurse: flag })),
    async (context) => {
      const { recurse } = context.req.valid("query");
      const { graph_id, config } = await find(context);
      const graph = await graphs.open(graph_id, config);
      const found: [string, GraphSchemas][] = [];
      const inner = graph.getSubgraphsAsync(context.req.param("namespace"), recurse);
      for await (const [name, subgraph] of inner)
        found.push([name, await schemasOf(graph_id, subgraph, name)]);
      return context.json(Object.fromEntries(found));
    },
  );
}

/** @param namespace of a subgraph */
async function schemasOf(
  graphId: string,
  graph: unknown,
  namespace?: string,
): Promise<GraphSchemas> {
  const source = projectGraph(graphId);
  const typed = source && (await typedSchemas({ source, graph, namespace }));
  return (
    typed ?? {
      input: getInputTypeSchema(graph),
      output: getOutputTypeSchema(graph),
      state: getUpdateTypeSchema(graph),
      config: getConfigTypeSchema(graph),
    }
  );
}

function schemaAnswer({ input, output, state, config }: GraphSchemas) {
  return {
    input_schema: input,
    output_schema: output,
    state_schema: state,
    // LangGraph.js has one schema for both.
    config_schema: config,
    context_schema: config,
  };
}

async function searchAssistants(
  { data, access }: Served,
  context: Request,
  wanted: z.output<typeof search>,
): Promise<Assistant[]> {
  const own = data.db
    .selectFrom("assistants")
    .selectAll()
    .where(ownedBy(context.get("caller")));
  const rows = await own.orderBy("created_at", "desc").execute();
  const all = [...rows.map(assistantOf), ...(await graphAssistants())];
  const found = all.filter(
    ({ graph_id, name, metadata }) =>
      access.allowsGraph(graph_id) &&
      isShown(context.get("caller"), "assistants", metadata) &&
      (wanted.graph_id === undefined || graph_id === wanted.graph_id) &&
      (wanted.name === undefined || name.toLowerCase().includes(wanted.name.toLowerCase())) &&
      contains(metadata, wanted.metadata ?? {}),
  );
  const { sort_by: key, sort_order } = wanted;
  if (key === undefined) return found;
  const sorted = found.toSorted((a, b) => a[key].localeCompare(b[key]));
  return sort_order === "asc" ? sorted : sorted.toReversed();
}

async function createAssistant(
  data: ServerStore,
  context: Request,
  wanted: z.output<typeof create>,
): Promise<Assistant> {
  const graph_id = findGraph(wanted.graph_id);
  requireSettings(graph_id, wanted.context);
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
  const stored = data.db.selectFrom("assistants").selectAll();
  const known = await stored.where("assistant_id", "=", row.assistant_id).executeTakeFirst();
  const caller = context.get("caller");
  const isSeen =
    known &&
    [undefined, known.owner].includes(ownerSeen(caller)) &&
    isShown(caller, "assistants", known.metadata);
  if (isSeen && wanted.if_exists === "do_nothing") return assistantOf(known);
  if (known || isOfGraph(row.assistant_id))
    throw conflict(
      `assistant ${row.assistant_id} already exists`,
      'Send another assistant_id, or "if_exists": "do_nothing"',
    );
  await data.transaction(async (db) => {
    await db.insertInto("assistants").values(row).execute();
    await keepVersion(db, row);
  });
  return assistantOf(row);
}
