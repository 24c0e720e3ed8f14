import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchOperation,
} from "@langchain/langgraph";
import type { Selectable } from "kysely";
import { meets } from "../api/requests.js";
import type { ServerStore, ServerTables } from "../schema.js";

/** Rows of an owner that a search or a list reads at most. */
export const MOST_READ = 10_000;

/** What an owner's runs remember beyond their threads, and clients read and write: LangGraph's store, on the database. */
export class OwnerStore extends BaseStore {
  constructor(
    private readonly data: ServerStore,
    private readonly owner: string,
  ) {
    super();
  }

  override async batch<Ops extends Operation[]>(operations: Ops): Promise<OperationResults<Ops>> {
    const results = [];
    for (const operation of operations) results.push(await this.once(operation));
    return results as OperationResults<Ops>;
  }

  private async once(operation: Operation): Promise<unknown> {
    if ("namespacePrefix" in operation) return await this.found(operation);
    if ("value" in operation) return await this.written(operation);
    if ("key" in operation) return await this.item(operation);
    return await this.namespaces(operation);
  }

  private async item({ namespace, key }: GetOperation): Promise<Item | null> {
    const row = await this.data.db
      .selectFrom("store_items")
      .selectAll()
      .where("owner", "=", this.owner)
      .where("namespace", "=", JSON.stringify(namespace))
      .where("key", "=", key)
      .executeTakeFirst();
    return row ? itemOf(row) : null;
  }

  private async written(put: PutOperation): Promise<void> {
    const { db } = this.data;
    const place = { owner: this.owner, namespace: JSON.stringify(put.namespace), key: put.key };
    if (put.value === null) {
      const deleted = db.deleteFrom("store_items").where("owner", "=", place.owner);
      await deleted.where("namespace", "=", place.namespace).where("key", "=", place.key).execute();
      return;
    }
    const now = Math.floor(await this.data.now());
    const value = JSON.stringify(put.value);
    await db
      .insertInto("store_items")
      .values({ ...place, value, created_at: now, updated_at: now })
      .onConflict((conflict) =>
        conflict.columns(["owner", "namespace", "key"]).doUpdateSet({ value, updated_at: now }),
      )
      .execute();
  }

  private async found(search: SearchOperation): Promise<Item[]> {
    const { namespacePrefix, filter = {}, limit = 10, offset = 0 } = search;
    const rows = await this.rows(namespacePrefix);
    const items = rows.map(itemOf).filter(({ namespace, value }) => {
      const isUnder = namespacePrefix.every((part, at) => namespace[at] === part);
      return (
        isUnder && Object.entries(filter).every(([name, wanted]) => meets(value[name], wanted))
      );
    });
    return items.slice(offset, offset + limit);
  }

  private async namespaces(list: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = list;
    const all = (await this.rows([])).map(({ namespace }) => JSON.parse(namespace) as string[]);
    const matching = all.filter((namespace) =>
      matchConditions.every(({ matchType, path }) => {
        const part =
          matchType === "prefix" ? namespace.slice(0, path.length) : namespace.slice(-path.length);
        return (
          part.length === path.length && path.every((name, at) => name === "*" || name === part[at])
        );
      }),
    );
    const cut = new Set(matching.map((namespace) => JSON.stringify(namespace.slice(0, maxDepth))));
    return [...cut]
      .toSorted()
      .slice(offset, offset + limit)
      .map((text) => JSON.parse(text) as string[]);
  }

  /** Rows whose namespace may begin like this, the newest first. */
  private async rows(prefix: readonly string[]): Promise<StoreRow[]> {
    const start = JSON.stringify(prefix).slice(0, -1);
    return await this.data.db
      .selectFrom("store_items")
      .selectAll()
      .where("owner", "=", this.owner)
      .where("namespace", ">=", start)
      .$if(prefix.length > 0, (query) => query.where("namespace", "<", `${start}\u{10FFFF}`))
      .orderBy("updated_at", "desc")
      .limit(MOST_READ)
      .execute();
  }
}

type StoreRow = Selectable<ServerTables["store_items"]>;

function itemOf({ namespace, key, value, created_at, updated_at }: StoreRow): Item {
  return {
    namespace: JSON.parse(namespace) as string[],
    key,
    value: JSON.parse(value) as Record<string, unknown>,
    createdAt: new Date(created_at),
    updatedAt: new Date(updated_at),
  };
}
