import { runWorkspace } from "../../home/workspace.js";
import { pricesOf } from "../../state/budget/prices.js";
import { readSettings } from "../../state/settings.js";
import type { ToolRecord } from "../../tools/tool.js";
import { type StageChange, stage } from "../kit/stage.js";

/** What a tool takes and gives, by the names of its arguments and of the fields of its result. */
interface Link {
  id: string;
  takes: string[];
  gives: string[];
  price: number;
}

/**
 * Grants only the calls of the cheapest chain of found tools that ends in what no tool takes: each argument that a tool
 * returns under the same name comes from that tool, any other from the request. Visited again, it starts from what calls
 * have returned, without tools that failed. A knapsack (BTP) prices calls one by one, and so cannot see that one dear call
 * saves three cheap ones. Does nothing without an enforced budget, or unless the results lead to a single end.
 */
export function planChain() {
  return stage({ lines }, async (state, config) => {
    const { ledger, calls } = state;
    if (!ledger?.enforced) return {};
    const library = await runWorkspace().library(readSettings(config));
    const found = [...new Set(state.toolIds)].flatMap((id) => library.get(id) ?? []);
    const failed = new Set(
      calls.filter(({ error }) => error !== undefined).map(({ tool }) => tool),
    );
    const all = linksOf(found);
    const returned = calls
      .filter(({ tool }) => !failed.has(tool))
      .flatMap(({ tool }) => all.find(({ id }) => id === tool)?.gives ?? []);
    const chain = cheapestChain(
      all.filter(({ id }) => !failed.has(id)),
      { ...endsOf(all), returned },
    );
    if (!chain) return {};
    const quotas = Object.fromEntries(all.map(({ id }) => [id, chain.includes(id) ? 1 : 0]));
    const cost = all.reduce((sum, { id, price }) => sum + (quotas[id] ?? 0) * price, 0);
    const planned = ledger.planned ?? { calls: chain.length, cost };
    return { ledger: { ...ledger, quotas, planned } };
  });
}

function lines({ change: { ledger }, before }: StageChange): string[] {
  const granted = (one: typeof ledger) =>
    Object.entries(one?.quotas ?? {}).flatMap(([tool, quota]) => (quota > 0 ? [tool] : []));
  const now = granted(ledger);
  const isSame = granted(before.ledger ?? undefined).join() === now.join();
  return isSame ? [] : [`the cheapest chain: ${now.join(", ")}`];
}

function linksOf(tools: readonly ToolRecord[]): Link[] {
  const prices = pricesOf(tools);
  return tools.map(({ id, parameters, returns }) => ({
    id,
    takes: (parameters.required ?? []).map(String),
    gives: Object.keys(Object(returns?.["properties"])),
    price: prices[id] ?? 0,
  }));
}

/** What the request has to give, and where chains end. */
function endsOf(links: readonly Link[]) {
  const taken = new Set(links.flatMap(({ takes }) => takes));
  const given = new Set(links.flatMap(({ gives }) => gives));
  return {
    asked: [...taken].filter((name) => !given.has(name)),
    ends: [...given].filter((name) => !taken.has(name)),
  };
}

/** Dijkstra's algorithm over sets of what is known; of equal cost, the shorter chain. Undefined if none leads to one end. */
export function cheapestChain(
  links: readonly Link[],
  { asked, ends, returned }: { asked: string[]; ends: string[]; returned: readonly string[] },
): string[] | undefined {
  const [end, ...others] = ends;
  if (end === undefined || others.length > 0) return undefined;
  const open = [{ known: new Set([...asked, ...returned]), chain: [] as string[], cost: 0 }];
  const closed = new Set<string>();
  for (;;) {
    open.sort((one, other) => one.cost - other.cost || one.chain.length - other.chain.length);
    const next = open.shift();
    if (!next || next.known.has(end)) return next?.chain;
    const key = [...next.known].toSorted().join("\n");
    if (closed.has(key)) continue;
    closed.add(key);
    for (const { id, takes, gives, price } of links) {
      if (!takes.every((name) => next.known.has(name))) continue;
      if (gives.every((name) => next.known.has(name))) continue;
      const known = new Set([...next.known, ...gives]);
      open.push({ known, chain: [...next.chain, id], cost: next.cost + price });
    }
  }
}
