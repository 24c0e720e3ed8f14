import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { Benchmark, Task } from "../benchmark.js";
import { answeringWorld, factOf, sampleExperience, successChance } from "./callResult.js";
import type { PricedRequest } from "./pricedRequests.js";
import { declarationOf, makeWorld, type PricedWorld } from "./pricedWorld.js";

export { type PricedWorld, makeWorld } from "./pricedWorld.js";

/**
 * The shipped benchmark for budgets: 600 generated requests in a simulated world of 240 tools with prices
 * (pricedWorld.ts), of the levels "one need", "two needs" and "three needs". An answer is right if it contains all
 * facts of its task. The tools on offer cannot fulfil a few of the requests, which nobody is told.
 */
export function pricedBenchmark(world: PricedWorld = makeWorld()): Benchmark {
  const tools = [...world.tools.values()].map(declarationOf);
  const tasks = world.requests.map((request) => taskOf(world, request));
  const { parameters } = world;
  return {
    name: "priced",
    source: "ships with tulipgraph",
    hash: sha256(canonicalJson({ parameters, tasks, tools: tools.map(definitionHash) })),
    tools,
    tasks,
    argumentRule: "equal",
    others: 0,
    experience: (library) => sampleExperience(world, library),
    ownWorlds: [answeringWorld(world)],
  };
}

const LEVELS = ["one need", "two needs", "three needs"];

function taskOf(world: PricedWorld, request: PricedRequest): Task {
  const { id, text, needs, candidates } = request;
  return {
    id,
    query: text,
    tools: needs.flatMap((need) => cheapestFor(world, request, need)),
    level: LEVELS[needs.length - 1] ?? `${needs.length} needs`,
    candidates,
    facts: needs.map((facet) => factOf(world, request, facet)),
  };
}

/** The cheapest tool on offer that can serve a need, if any can. */
function cheapestFor(world: PricedWorld, request: PricedRequest, need: string): string[] {
  const [cheapest] = request.candidates
    .flatMap((id) => world.tools.get(id) ?? [])
    .filter((tool) => tool.facet === need && successChance(tool, request) > 0)
    .toSorted((one, other) => one.cost - other.cost);
  return cheapest === undefined ? [] : [cheapest.id];
}
