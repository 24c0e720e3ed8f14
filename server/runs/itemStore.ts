import {
  BaseStore,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import type { Selectable } from "kysely";
import type { ServerStore, ServerTables } from "../schema.js";

/**
 * LangGraph's store: an owner's items by namespace and key, shared by its threads. Items are searched by their fields;
 * a `query` in words does not rank them.
 */
export class ItemStore extends BaseStore {
  constructor(
    readonly data: ServerStore,
    readonly owner: string,
  ) {
    super();
  }

  override async batch<Ops extends Operation[]>(operations: Ops): Promise<OperationResults<Ops>> {
    const results: unknown[] = [];
    // One after the other: a later operation of the batch sees what an earlier one has put.
    for (const operation of operations) results.push(await this.#run(operation));
    return results as OperationResults<Ops>;
  }

  async #run(operation: Operation): Promise<unknown> {
    if ("namespacePrefix" in operation) return await this.#find(operation);
    if ("value" in operation) return await this.#put(operation);
    if ("key" in operation) return await this.#get(operation);
    return await this.#namespaces(operation);
  }

  async #get({ namespace, key }: { namespace: string[]; key: string }): Promise<Item | null> {
    const row = await this.data.db
      .selectFrom("store_items")
      .selectAll()
      .where("owner", "=", this.owner)
      .where("namespace", "=", JSON.stringify(namespace))
      .where("key", "=", key)
      .executeTakeFirst();
    return row ? itemOf(row) : null;
  }

  async #put({ namespace, key, value }: PutOperation): Promise<void> {
    const place = { owner: this.owner, namespace: JSON.stringify(namespace), key };
    if (value === null) {
      await this.data.db
        .deleteFrom("store_items")
        .where((item) => item.and(place))
        .execute();
      return;
    }
    const now = Math.floor(await this.data.now());
    const changed = { value: JSON.stringify(value), updated_at: now };
    await this.data.db
      .insertInto("store_items")
      .values({ ...place, ...changed, created_at: now })
      .onConflict((conflict) =>
        conflict.columns(["owner", "namespace", "key"]).doUpdateSet(changed),
      )
      .execute();
  }

  async #find(wanted: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter = {}, limit = 10, offset = 0 } = wanted;
    const rows = await this.data.db
      .selectFrom("store_items")
      .selectAll()
      .where("owner", "=", this.owner)
      .$if(namespacePrefix.length > 0, (query) =>
        query.where("namespace", "like", beginning(namespacePrefix)),
      )
      .orderBy("updated_at", "desc")
      .orderBy("key")
      .execute();
    return rows
      .map(itemOf)
      .filter(
        ({ namespace, value }) => startsWith(namespace, namespacePrefix) && fits(value, filter),
      )
      .slice(offset, offset + limit);
  }

  async #namespaces(wanted: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = wanted;
    const rows = await this.data.db
      .selectFrom("store_items")
      .select("namespace")
      .distinct()
      .where("owner", "=", this.owner)
      .orderBy("namespace")
      .execute();
    const all = rows
      .map(({ namespace }) => JSON.parse(namespace) as string[])
      .filter((namespace) => matchConditions.every((condition) => matches(namespace, condition)))
      .map((namespace) => JSON.stringify(namespace.slice(0, maxDepth)));
    const distinct = [...new Set(all)].map((namespace) => JSON.parse(namespace) as string[]);
    return distinct.slice(offset, offset + limit);
  }
}

/** A LIKE pattern for a namespace. A `%` or `_` in the prefix may match too much, which is filtered out later. */
function beginning(prefix: readonly string[]): string {
  return `${JSON.stringify(prefix).slice(0, -1)}%`;
}

function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((label, index) => namespace[index] === label);
}

function matches(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const from = matchType === "prefix" ? 0 : namespace.length - path.length;
  return (
    from >= 0 && path.every((label, index) => label === "*" || namespace[from + index] === label)
  );
}

type Comparison = (found: unknown, wanted: unknown) => boolean;

const COMPARISONS: Record<string, Comparison> = {
  $eq: (found, wanted) => JSON.stringify(found) === JSON.stringify(wanted),
  $ne: (found, wanted) => JSON.stringify(found) !== JSON.stringify(wanted),
  $gt: (found, wanted) => Number(found) > Number(wanted),
  $gte: (found, wanted) => Number(found) >= Number(wanted),
  $lt: (found, wanted) => Number(found) < Number(wanted),
  $lte: (found, wanted) => Number(found) <= Number(wanted),
};

function fits(value: Record<string, unknown>, filter: Record<string, unknown>): boolean {
  return Object.entries(filter).every(([field, wanted]) => {
    const comparisons = Object.entries(Object(wanted) as Record<string, unknown>);
    const isComparison =
      comparisons.length > 0 && comparisons.every(([name]) => name in COMPARISONS);
    if (!isComparison || typeof wanted !== "object")
      return COMPARISONS["$eq"]?.(value[field], wanted);
    return comparisons.every(([name, than]) => COMPARISONS[name]?.(value[field], than));
  });
}

function itemOf(row: Selectable<ServerTables["store_items"]>): Item {
  return {
    namespace: JSON.parse(row.namespace) as string[],
    key: row.key,
    value: JSON.parse(row.value) as Record<string, unknown>,
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
