import { parse, v5 } from "@langchain/core/utils/uuid";
import type { Selectable } from "kysely";
import { z } from "zod";
import { nearestName } from "../../common/nearNames.js";
import { aboutGraph } from "../../graphs/openGraph.js";
import { findGraph, graphNames } from "../../graphs/ownGraphs.js";
import { projectGraph } from "../../graphs/projects.js";
import { parseSettings } from "../../state/settings.js";
import { asUnprocessable } from "../access/admission.js";
import { type Caller, ownedBy } from "../access/caller.js";
import { isShown } from "../access/projectAuth.js";
import { HttpProblem, notFound } from "../problem.js";
import type { ServerStore, ServerTables, ServerTransaction } from "../schema.js";
import { parsed, refused, time } from "./requests.js";
import { jsonObject } from "./taking.js";

/** The namespace in which LangGraph's servers derive assistants' ids from graphs' (RFC 4122's for OIDs, less one bit). */
const NAMESPACE = parse("6ba7b821-9dad-11d1-80b4-00c04fd430c8");

/** The graph of what waits on the page for a person, which clients do not run (askOnPage.ts). */
export const ON_PAGE = "on_page";

/** The graph whose own assistant has this id. */
function graphOf(id: string): string | undefined {
  const names = [...graphNames(), ON_PAGE];
  return names.find((name) => v5(name, NAMESPACE) === id);
}

/** An assistant, as clients see it: a graph with settings. */
export type Assistant = ReturnType<typeof assistantOf>;

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
 * @throws HttpProblem 404, which says what there is
 */
export async function findAssistant(data: ServerStore, name: string, caller: Caller) {
  const graph = projectGraph(name) || graphNames().includes(name) ? name : graphOf(name);
  if (graph) return await graphAssistant(graph);
  const found = data.db.selectFrom("assistants").selectAll().where("assistant_id", "=", name);
  const row = await found.where(ownedBy(caller)).executeTakeFirst();
  if (!row || !isShown(caller, "assistants", row.metadata)) throw assistantUnknown(name);
  return assistantOf(row);
}

function assistantUnknown(name: string): HttpProblem {
  const near = nearestName(name, graphNames());
  return new HttpProblem({
    status: 404,
    // The words by which clients of LangGraph's API tell it.
    problem: `Assistant not found: No assistant found for "${name.slice(0, 100)}"${near ? `; did you mean "${near}"?` : ""}`,
    hint: `Send an assistant's id or a graph's: ${graphNames().slice(0, 8).join(", ")} and ${graphNames().length - 8} more (POST /assistants/search lists them)`,
  });
}

export function assistantOf(row: Selectable<ServerTables["assistants"]>) {
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

/** @throws HttpProblem 422 for settings that no run of the graph could have */
export function requireSettings(graph: string, context: Record<string, unknown> = {}): void {
  if (!projectGraph(graph)) asUnprocessable(() => parseSettings(context), "context: ");
}

/** Inserts a row of an assistant, or changes it, and keeps it as a version. */
export async function keepVersion(
  db: ServerTransaction,
  row: Selectable<ServerTables["assistants"]>,
): Promise<void> {
  const { owner: _owner, created_at: _created, updated_at, ...version } = row;
  await db
    .insertInto("assistant_versions")
    .values({ ...version, created_at: updated_at })
    .execute();
}

/** The versions of an assistant, the newest first. */
export async function assistantVersions({ db }: ServerStore, assistant: Assistant) {
  const rows = await db
    .selectFrom("assistant_versions")
    .selectAll()
    .where("assistant_id", "=", assistant.assistant_id)
    .orderBy("version", "desc")
    .execute();
  if (rows.length === 0) return [assistant];
  return rows.map((row) => assistantOf({ ...row, owner: "", updated_at: row.created_at }));
}

/** Makes an earlier version of an assistant the one that runs. @throws HttpProblem 404 if there is none of that number */
export async function setLatest(data: ServerStore, assistant: Assistant, version: number) {
  requireOwn(assistant, "changed");
  const known = data.db
    .selectFrom("assistant_versions")
    .select(["version", "graph_id", "name", "description", "config", "context", "metadata"])
    .where("assistant_id", "=", assistant.assistant_id)
    .where("version", "=", version);
  const earlier = await known.executeTakeFirst();
  if (earlier === undefined) {
    const problem = `assistant ${assistant.assistant_id} has no version ${version}`;
    throw notFound(problem);
  }
  const row = await data.db
    .updateTable("assistants")
    .set({ ...earlier, updated_at: Math.floor(await data.now()) })
    .where("assistant_id", "=", assistant.assistant_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return assistantOf(row);
}

/** Changes an assistant, which becomes its next version. */
export async function updateAssistant(
  data: ServerStore,
  assistant: Assistant,
  wanted: z.output<typeof updateForm>,
): Promise<Assistant> {
  requireOwn(assistant, "changed");
  const graph = wanted.graph_id === undefined ? assistant.graph_id : findGraph(wanted.graph_id);
  requireSettings(graph, wanted.context);
  const now = Math.floor(await data.now());
  return await data.transaction(async (db) => {
    const { assistant_id } = assistant;
    const versions = db.selectFrom("assistant_versions").where("assistant_id", "=", assistant_id);
    const last = await versions
      .select(({ fn }) => fn.max("version").as("version"))
      .executeTakeFirst();
    const version = Math.max(assistant.version, last?.version ?? 0) + 1;
    const row = await db
      .updateTable("assistants")
      .set({
        graph_id: graph,
        version,
        name: wanted.name ?? assistant.name,
        description: wanted.description ?? assistant.description,
        config: JSON.stringify(wanted.config ?? assistant.config),
        context: JSON.stringify(wanted.context ?? assistant.context),
        metadata: JSON.stringify({ ...assistant.metadata, ...wanted.metadata }),
        updated_at: now,
      })
      .where("assistant_id", "=", assistant_id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await keepVersion(db, row);
    return assistantOf(row);
  });
}

/** @throws HttpProblem 422 for a graph's own assistant */
export function requireOwn({ assistant_id, graph_id }: Assistant, what: string): void {
  if (!isOfGraph(assistant_id)) return;
  throw refused(
    `the assistant of graph ${graph_id} itself cannot be ${what}`,
    "Create one of your own with its graph_id (POST /assistants)",
  );
}
