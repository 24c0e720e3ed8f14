import { z } from "zod";
import { findGraph } from "../../graphs/openGraph.js";
import { HttpProblem } from "../problem.js";
import type { ServerStore } from "../schema.js";
import { type Assistant, assistantOf, isOfGraph } from "./assistantRows.js";
import { contains, jsonObject, parsed, refused, time } from "./requests.js";

/** The fields of an assistant that can be changed. */
export const updateForm = z.object({
  graph_id: z.string().optional(),
  config: jsonObject.optional(),
  context: jsonObject.optional(),
  metadata: jsonObject.optional(),
  name: z.string().max(200).optional(),
  description: z.string().max(2_000).optional(),
});

/** Changes an assistant. The result is its next version. */
export async function updateAssistant(options: {
  data: ServerStore;
  assistant: Assistant;
  wanted: z.output<typeof updateForm>;
}): Promise<Assistant> {
  const { data, assistant, wanted } = options;
  requireOwn(assistant, "changed");
  const { assistant_id } = assistant;
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

/** Makes an earlier version of an assistant the current one. */
export async function setLatest(options: {
  data: ServerStore;
  assistant: Assistant;
  version: number;
}): Promise<Assistant> {
  const { data, assistant, version } = options;
  requireOwn(assistant, "changed");
  const { assistant_id } = assistant;
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

/** The versions of an assistant, newest first. */
export async function listVersions(options: {
  data: ServerStore;
  assistant: Assistant;
  metadata?: Record<string, unknown>;
  limit: number;
  offset: number;
}): Promise<object[]> {
  const { data, assistant, metadata = {}, limit, offset } = options;
  if (isOfGraph(assistant.assistant_id)) return [assistant].slice(offset, offset + limit);
  const rows = await data.db
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

/** @throws HttpProblem 422 for a graph's own assistant */
export function requireOwn({ assistant_id, graph_id }: Assistant, what: string): void {
  if (!isOfGraph(assistant_id)) return;
  throw refused(
    `the assistant of graph ${graph_id} itself cannot be ${what}`,
    "Create one of your own with its graph_id (POST /assistants)",
  );
}
