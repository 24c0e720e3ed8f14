import { runWorkspace } from "../../home/workspace.js";
import { pricesOf } from "../../state/budget/prices.js";
import { readSettings } from "../../state/settings.js";
import type { ToolRecord } from "../../tools/tool.js";
import { toldTools } from "../policy/offeredTools.js";
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
 * have returned, without tools that failed, at the prices that results have told ({@link toldTools}); after a result with a
 * message of the user (`user`), from the beginning. A knapsack (BTP) prices calls one by one, and so cannot see that one dear call
 * saves three cheap ones. Does nothing without an enforced budget, or unless the results lead to a single end.
 */
export function planChain() {
  return stage({ lines }, async (state, config) => {
    const { ledger, calls } = state;
    if (!ledger?.enforced) return {};
    const library = await runWorkspace().library(readSettings(config));
    const declared = [...new Set(state.toolIds)].flatMap((id) => library.get(id) ?? []);
    const failed = new Set(
      calls.filter(({ error }) => error !== undefined).map(({ tool }) => tool),
    );
    const all = linksOf(declared);
    const left = linksOf(toldTools(declared, calls)).filter(({ id }) => !failed.has(id));
    const wish = calls.findLastIndex(({ result }) => Object(result).user !== undefined);
    const returned = calls
      .slice(wish + 1)
      .filter(({ tool }) => !failed.has(tool))
      .flatMap(({ tool }) => all.find(({ id }) => id === tool)?.gives ?? []);
    const chain = cheapestChain(left, { ...endsOf(all), returned });
    if (!chain) return {};
    const quotas = Object.fromEntries(all.map(({ id }) => [id, chain.includes(id) ? 1 : 0]));
    const cost = left.reduce((sum, { id, price }) => sum + (quotas[id] ?? 0) * price, 0);
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

/** Calls, and what is known after them. */
interface Way {
  known: bigint;
  chain: string[];
  cost: number;
}

function isLess(one: Way, other: Way): boolean {
  return (
    one.cost < other.cost || (one.cost === other.cost && one.chain.length < other.chain.length)
  );
}

/** Sets of what is known that a plan looks at: with more tools than lead somewhere, their number doubles with each. */
const MOST_LOOKED_AT = 2000;

/**
 * Dijkstra's algorithm over sets of what is known; of equal cost, the shorter chain. Undefined if none leads to one end, or
 * there are too many ways.
 */
export function cheapestChain(
  links: readonly Link[],
  { asked, ends, returned }: { asked: string[]; ends: string[]; returned: readonly string[] },
): string[] | undefined {
  const [end, ...others] = ends;
  if (end === undefined || others.length > 0) return undefined;
  const names = [
    ...asked,
    ...returned,
    ...links.flatMap(({ takes, gives }) => [...takes, ...gives]),
  ];
  const bits = new Map([...new Set(names)].map((name, at) => [name, 1n << BigInt(at)]));
  const setOf = (some: readonly string[]) =>
    some.reduce((all, name) => all | (bits.get(name) ?? 0n), 0n);
  const steps = links.map(({ id, takes, gives, price }) => {
    return { id, takes: setOf(takes), gives: setOf(gives), price };
  });
  const goal = setOf([end]);
  // In the order in which they are looked at.
  const open: Way[] = [{ known: setOf([...asked, ...returned]), chain: [], cost: 0 }];
  const best = new Map<bigint, Way>();
  for (let looked = 0; looked < MOST_LOOKED_AT; looked += 1) {
    const next = open.shift();
    if (!next || (next.known & goal) !== 0n) return next?.chain;
    for (const { id, takes, gives, price } of steps) {
      const known = next.known | gives;
      if ((next.known & takes) !== takes || known === next.known) continue;
      const longer = { known, chain: [...next.chain, id], cost: next.cost + price };
      const other = best.get(known);
      if (other && !isLess(longer, other)) continue;
      best.set(known, longer);
      open.splice(open.findLastIndex((way) => !isLess(longer, way)) + 1, 0, longer);
    }
  }
  return undefined;
}
