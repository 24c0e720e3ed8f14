import { parse, v5 } from "@langchain/core/utils/uuid";
import type { Selectable } from "kysely";
import { z } from "zod";
import { nearestName } from "../../common/nearNames.js";
import { aboutGraph } from "../../graphs/openGraph.js";
import { findGraph, graphNames } from "../../graphs/ownGraphs.js";
import { projectGraph } from "../../graphs/projects.js";
import { HttpProblem } from "../problem.js";
import type { ServerStore, ServerTables } from "../schema.js";
import { jsonObject, parsed, refused, time } from "./requests.js";

/** The namespace in which LangGraph's servers derive assistants' ids from graphs' (RFC 4122's for OIDs, less one bit). */
const NAMESPACE = parse("6ba7b821-9dad-11d1-80b4-00c04fd430c8");

/** The graph whose own assistant has this id. */
function graphOf(id: string): string | undefined {
  return graphNames().find((name) => v5(name, NAMESPACE) === id);
}

/** An assistant, as clients see it: a graph with settings. */
export interface Assistant {
  assistant_id: string;
  graph_id: string;
  version: number;
  name: string;
  description: string | null;
  config: Record<string, unknown>;
  context: Record<string, unknown>;
  metadata: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

/** The graphs' own assistants count as made when the process started. */
const STARTED = new Date().toISOString();

/** Whether this is a graph's own assistant, which nobody can change. */
export function isOfGraph(id: string): boolean {
  return graphOf(id) !== undefined;
}

/** The assistants that are graphs without further settings. */
export async function graphAssistants(): Promise<Assistant[]> {
  return await Promise.all(graphNames().map(graphAssistant));
}

async function graphAssistant(id: string): Promise<Assistant> {
  const { summary } = await aboutGraph(id);
  const { config = {}, context = {} } = projectGraph(id) ?? {};
  return {
    assistant_id: v5(id, NAMESPACE),
    graph_id: id,
    version: 1,
    name: id,
    description: summary,
    config,
    context,
    metadata: { created_by: "system" },
    created_at: STARTED,
    updated_at: STARTED,
  };
}

/**
 * Finds an assistant by its id, or a graph's own one by the id of the graph.
 *
 * @param owner whose assistants may be found; undefined for everybody's
 * @throws HttpProblem 404, which says what there is
 */
export async function findAssistant(
  data: ServerStore,
  name: string,
  owner: string | undefined,
): Promise<Assistant> {
  const graph = graphNames().includes(name) ? name : graphOf(name);
  if (graph) return await graphAssistant(graph);
  const row = await data.db
    .selectFrom("assistants")
    .selectAll()
    .where("assistant_id", "=", name)
    .$if(owner !== undefined, (query) => query.where("owner", "=", String(owner)))
    .executeTakeFirst();
  if (row === undefined) throw assistantUnknown(name);
  return assistantOf(row);
}

function assistantUnknown(name: string): HttpProblem {
  const near = nearestName(name, graphNames());
  return new HttpProblem({
    status: 404,
    problem: `no assistant found for "${name.slice(0, 100)}"${near ? `; did you mean "${near}"?` : ""}`,
    hint: `Send an assistant's id or a graph's: ${graphNames().slice(0, 8).join(", ")} and ${graphNames().length - 8} more (POST /assistants/search lists them)`,
  });
}

export function assistantOf(row: Selectable<ServerTables["assistants"]>): Assistant {
  const { assistant_id, graph_id, version, name, description } = row;
  return {
    assistant_id,
    graph_id,
    version,
    name,
    description,
    config: parsed(row.config),
    context: parsed(row.context),
    metadata: parsed(row.metadata),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  };
}

/** The fields of an assistant that can be changed. */
export const updateForm = z.object({
  graph_id: z.string().optional(),
  config: jsonObject.optional(),
  context: jsonObject.optional(),
  metadata: jsonObject.optional(),
  name: z.string().max(200).optional(),
  description: z.string().max(2_000).optional(),
});

/** Changes an assistant; `version` counts the changes. */
export async function updateAssistant(
  data: ServerStore,
  assistant: Assistant,
  wanted: z.output<typeof updateForm>,
): Promise<Assistant> {
  requireOwn(assistant, "changed");
  const graph = wanted.graph_id === undefined ? assistant.graph_id : findGraph(wanted.graph_id);
  const now = Math.floor(await data.now());
  const row = await data.db
    .updateTable("assistants")
    .set((old) => ({
      graph_id: graph,
      version: old("version", "+", 1),
      name: wanted.name ?? assistant.name,
      description: wanted.description ?? assistant.description,
      config: JSON.stringify(wanted.config ?? assistant.config),
      context: JSON.stringify(wanted.context ?? assistant.context),
      metadata: JSON.stringify({ ...assistant.metadata, ...wanted.metadata }),
      updated_at: now,
    }))
    .where("assistant_id", "=", assistant.assistant_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return assistantOf(row);
}

/** @throws HttpProblem 422 for a graph's own assistant */
export function requireOwn({ assistant_id, graph_id }: Assistant, what: string): void {
  if (!isOfGraph(assistant_id)) return;
  throw refused(
    `the assistant of graph ${graph_id} itself cannot be ${what}`,
    "Create one of your own with its graph_id (POST /assistants)",
  );
}
