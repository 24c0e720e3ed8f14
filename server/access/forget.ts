import { InvalidSetting } from "../../common/errors.js";
import type { Workspace } from "../../home/workspace.js";
import type { ServerStore } from "../schema.js";
import { isOwnLibrary } from "./libraries.js";

/** What a server keeps of an owner. */
export type Kept = Awaited<ReturnType<typeof keptOf>>;

type Place = { data: ServerStore; workspace: Workspace; owner: string };

/** What is kept of an owner; spending is not among it, because it is the operator's. */
export async function keptOf({ data, workspace, owner }: Place) {
  const { db } = data;
  const of = (table: "threads" | "runs" | "assistants") =>
    db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .where("owner", "=", owner)
      .executeTakeFirstOrThrow();
  const keys = db.selectFrom("keys").select("key_id").where("owner", "=", owner);
  const threads = db.selectFrom("threads").select("thread_id").where("owner", "=", owner);
  const connections = await (await workspace.connections()).list(owner);
  return {
    /** The sources that the owner has connected to. */
    connections: connections.map(({ source }) => source),
    keys: (await keys.execute()).map(({ key_id }) => key_id),
    threads: (await threads.execute()).map(({ thread_id }) => thread_id),
    assistants: Number((await of("assistants")).count),
    runs: Number((await of("runs")).count),
    libraries: (await workspace.store.names()).filter((name) => isOwnLibrary({ owner }, name)),
  };
}

/**
 * Deletes what is kept of an owner, connections and keys first, so that nothing new comes.
 *
 * @throws InvalidSetting while one of the owner's runs is under way
 */
export async function forget({ data, workspace, owner }: Place): Promise<Kept> {
  const kept = await keptOf({ data, workspace, owner });
  const { db } = data;
  const ofOwner = db.selectFrom("runs").select("run_id").where("owner", "=", owner);
  const open = await ofOwner.where("status", "in", ["pending", "running"]).execute();
  if (open.length > 0)
    throw new InvalidSetting({
      setting: owner,
      problem: `has ${open.length} unfinished runs, so nothing was deleted`,
      hint: "Wait for them to finish, or cancel them",
    });
  await (await workspace.connections()).remove(owner);
  await db.deleteFrom("keys").where("owner", "=", owner).execute();
  // A run without a thread of its own had one that is on no list.
  const stateless = db.selectFrom("runs").select("thread_id").where("owner", "=", owner);
  const ran = await stateless.where("is_stateless", "=", 1).execute();
  for (const thread of [...kept.threads, ...ran.map(({ thread_id }) => thread_id)])
    await workspace.forget(thread);
  for (const table of ["runs", "threads", "assistants", "crons", "store_items"] as const)
    await db.deleteFrom(table).where("owner", "=", owner).execute();
  for (const library of kept.libraries) await workspace.store.delete(library);
  return kept;
}
