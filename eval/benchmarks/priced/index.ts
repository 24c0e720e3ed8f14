import type { PastCall } from "../../../memory/experience.js";
import { defineWorld, type WorldDefinition } from "../../../tools/calls/worlds/worlds.js";
import { canonicalJson, definitionHash, sha256 } from "../../../tools/library/records/hash.js";
import type { Random } from "../../statistics/random.js";
import type { Benchmark, Task } from "../benchmark.js";
import type { PricedRequest } from "./pricedRequests.js";
import {
  declarationOf,
  makeWorld,
  PRICED_WORLD,
  type PricedTool,
  type PricedWorld,
} from "./pricedWorld.js";
import { between, drawsFor, EMPTY_TEXTS, ERRORS, oneOf, someOf } from "./vocabulary.js";

interface CallResult {
  /** The result, or the error where `failed`. */
  text: string;
  failed: boolean;
  /** It contains a fact that the request asks for. */
  helpful: boolean;
  ms: number;
}

/** A run's copy of the world: how often each tool was called for each request. */
interface RunOfWorld {
  calls: Record<string, number>;
}

const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ".split("");

const DIGITS = "23456789".split("");

/** Time of the first past call; each request came a minute after the previous one. */
const START = Date.UTC(2024, 0, 1);

const MINUTE_MS = 60_000;

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

/** The world for the runtime, which answers the calls of its tools. */
export function answeringWorld(world: PricedWorld): WorldDefinition<RunOfWorld> {
  return defineWorld<RunOfWorld>({
    name: PRICED_WORLD,
    create: () => ({ calls: {} }),
    save: (run) => run,
    load: (saved) => saved as RunOfWorld,
    answer(run, { tool: id, args }) {
      const tool = world.tools.get(id);
      if (tool === undefined) return { error: `UnknownTool: the world has no tool "${id}"` };
      const reference = String(args["reference"]).trim();
      const request = world.byReference.get(reference);
      if (request === undefined) {
        return { result: `Nothing is on record for "${reference}".`, ms: tool.latencyMs };
      }
      const key = `${request.id} ${id}`;
      const earlier = run.calls[key] ?? 0;
      run.calls[key] = earlier + 1;
      const { text, failed, ms } = callResult({ world, request, tool, earlier });
      return { ...(failed ? { error: text } : { result: text }), ms };
    },
  });
}

/**
 * The result of a call. It depends only on the world, the request, the tool and the number of earlier calls of the
 * tool in the run: repeated and resumed runs, and graphs that make the same calls, get the same results.
 *
 * @param options.earlier earlier calls of the tool for this request
 */
export function callResult(options: {
  world: PricedWorld;
  request: PricedRequest;
  tool: PricedTool;
  earlier: number;
}): CallResult {
  const { world, request, tool, earlier } = options;
  const { seed, latencySpread } = world.parameters;
  const random = drawsFor(seed, "call", request.id, tool.id, earlier);
  const spread = { least: 1 - latencySpread, most: 1 + latencySpread };
  const ms = Math.round(tool.latencyMs * between(spread, random));
  const isGiven = random() < successChance(tool, request);
  const isError = !isGiven && random() < tool.errorShare;
  if (isError) return { text: oneOf(ERRORS, random), failed: true, helpful: false, ms };
  const label = world.facets.get(tool.facet)?.label ?? tool.facet;
  const said = isGiven ? factOf(world, request, tool.facet) : oneOf(EMPTY_TEXTS, random);
  return {
    text: `${label} of ${request.family} ${request.reference}: ${said}`,
    failed: false,
    helpful: isGiven && request.needs.includes(tool.facet),
    ms,
  };
}

/** Probability that a call of a tool returns its fact, whether or not the request asks for it. */
function successChance(tool: PricedTool, { family }: PricedRequest): number {
  return tool.usefulTo.has(family) ? tool.reliability : 0;
}

/** The fact for a facet of a request: two groups of letters and digits that nobody can guess. */
export function factOf(world: PricedWorld, request: PricedRequest, facet: string): string {
  const random = drawsFor(world.parameters.seed, "fact", request.id, facet);
  return `${codeGroup(random)}-${codeGroup(random)}`;
}

function codeGroup(random: Random): string {
  return [LETTERS, LETTERS, DIGITS, DIGITS].map((signs) => oneOf(signs, random)).join("");
}

/**
 * Past calls, sampled from the world. For each need of a training request the fitting tools on offer are tried in
 * random order, regardless of price, until one returns the fact or enough have failed; sometimes another tool is
 * called first. The world knows whether a call helped.
 *
 * @param library name of the library for which the calls are stored
 */
function sampleExperience(world: PricedWorld, library: string): PastCall[] {
  return world.training.flatMap((request, index) => {
    const random = drawsFor(world.parameters.seed, "experience", request.id);
    const tools = request.needs.flatMap((need) => triedFor({ world, request, need, random }));
    const made = new Map<string, number>();
    return tools.map((tool, place): PastCall => {
      const earlier = made.get(tool.id) ?? 0;
      made.set(tool.id, earlier + 1);
      const { text, failed, helpful, ms } = callResult({ world, request, tool, earlier });
      return {
        id: `${library}/${request.id}/${place + 1}`,
        library,
        query: request.text,
        tool: tool.id,
        args: { reference: request.reference },
        result: text,
        failed,
        helpful,
        judgedBy: "given",
        cost: tool.cost,
        ms,
        at: START + index * MINUTE_MS,
      };
    });
  });
}

function triedFor(options: {
  world: PricedWorld;
  request: PricedRequest;
  need: string;
  random: Random;
}): PricedTool[] {
  const { world, request, need, random } = options;
  const { mostTries, wrongCall } = world.parameters.experience;
  const offered = request.candidates.flatMap((id) => world.tools.get(id) ?? []);
  const isFitting = ({ facet }: PricedTool) => facet === need;
  const others = offered.filter(({ facet }) => !request.needs.includes(facet));
  const mistaken = random() < wrongCall && others.length > 0 ? [oneOf(others, random)] : [];
  const tries = someOf(offered.filter(isFitting), { count: mostTries, random });
  const success = tries.findIndex(
    (tool) => callResult({ world, request, tool, earlier: 0 }).helpful,
  );
  return [...mistaken, ...(success < 0 ? tries : tries.slice(0, success + 1))];
}
