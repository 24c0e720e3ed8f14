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
import { ownedBy } from "../access/caller.js";
import { HttpProblem } from "../problem.js";
import type { ServerStore } from "../schema.js";
import type { Environment } from "../server.js";
import {
  type Assistant,
  assistantOf,
  findAssistant,
  graphAssistants,
  isOfGraph,
  requireOwn,
  updateAssistant,
  updateForm,
} from "./assistantRows.js";
import {
  type Request,
  contains,
  flag,
  jsonObject,
  ownerSeen,
  page,
  readBody,
  readQuery,
  select,
  tellPage,
  uuid,
} from "./requests.js";
import type { Access } from "../access/access.js";
import type { ServedGraphs } from "../runs/servedGraphs.js";
import type { Runs } from "../runs/runs.js";

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

/** Assistants: the graphs, and graphs with a caller's own settings. */
export function assistantRoutes(server: {
  data: ServerStore;
  runs: Runs;
  access: Access;
}): Hono<Environment> {
  const { data, runs } = server;
  const app = new Hono<Environment>();
  const find = (context: Request) =>
    findAssistant(data, context.req.param("assistant_id") ?? "", ownerSeen(context));
  app.post("/assistants/search", async (context) => {
    const wanted = await readBody(context, search);
    const found = await searchAssistants(server, context, wanted);
    const { offset, limit } = wanted;
    tellPage(context, { offset, limit, total: found.length });
    const shown = found.slice(offset, offset + limit);
    return context.json(shown.map((assistant) => select(assistant, wanted.select)));
  });
  app.post("/assistants/count", async (context) => {
    const wanted = await readBody(context, search);
    const found = await searchAssistants(server, context, wanted);
    return context.json(found.length);
  });
  app.post("/assistants", async (context) => {
    const wanted = await readBody(context, create);
    return context.json(await createAssistant(data, context, wanted));
  });
  app.get("/assistants/:assistant_id", async (context) => context.json(await find(context)));
  app.patch("/assistants/:assistant_id", async (context) => {
    const wanted = await readBody(context, updateForm);
    return context.json(await updateAssistant(data, await find(context), wanted));
  });
  app.delete("/assistants/:assistant_id", async (context) => {
    const assistant = await find(context);
    requireOwn(assistant, "deleted");
    const { assistant_id } = assistant;
    await data.db.deleteFrom("assistants").where("assistant_id", "=", assistant_id).execute();
    return context.json([assistant_id]);
  });
  graphRoutes(app, runs.graphs, find);
  return app;
}

/** What an assistant's graph looks like: its drawing and its schemas. */
function graphRoutes(
  app: Hono<Environment>,
  graphs: ServedGraphs,
  find: (context: Request) => Promise<Assistant>,
): void {
  app.get("/assistants/:assistant_id/graph", async (context) => {
    const { xray } = readQuery(context, z.object({ xray: flag }));
    const graph = await graphs.open((await find(context)).graph_id);
    const drawable = await graph.getGraphAsync({ xray });
    return context.json(drawable.toJSON());
  });
  app.get("/assistants/:assistant_id/schemas", async (context) => {
    const { graph_id } = await find(context);
    return context.json(schemasOf(graph_id, await graphs.open(graph_id)));
  });
  app.get("/assistants/:assistant_id/subgraphs/:namespace?", async (context) => {
    await find(context);
    // No graph contains another.
    return context.json({});
  });
}

function schemasOf(graph_id: string, graph: unknown) {
  const settings = getConfigTypeSchema(graph);
  return {
    graph_id,
    input_schema: getInputTypeSchema(graph),
    output_schema: getOutputTypeSchema(graph),
    state_schema: getUpdateTypeSchema(graph),
    // LangGraph.js has one schema for both.
    config_schema: settings,
    context_schema: settings,
  };
}

async function searchAssistants(
  { data, access }: { data: ServerStore; access: Access },
  context: Request,
  wanted: z.output<typeof search>,
): Promise<Assistant[]> {
  const rows = await data.db
    .selectFrom("assistants")
    .selectAll()
    .where(ownedBy(context.get("caller")))
    .orderBy("created_at", "desc")
    .execute();
  const all = [...rows.map(assistantOf), ...(await graphAssistants())];
  const found = all.filter(
    ({ graph_id, name, metadata }) =>
      access.allowsGraph(graph_id) &&
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
      problem: `assistant ${row.assistant_id} already exists`,
      hint: 'Send another assistant_id, or "if_exists": "do_nothing"',
    });
  }
  await data.db.insertInto("assistants").values(row).execute();
  return assistantOf(row);
}
