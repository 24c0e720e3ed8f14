import type { PastCall } from "../../../memory/experience.js";
import type { Random } from "../../statistics/random.js";
import { callResult } from "./callResult.js";
import { drawsFor, oneOf, someOf } from "./seededDraws.js";
import type { PricedRequest } from "./pricedRequests.js";
import type { PricedTool } from "./pricedTools.js";
import type { PricedWorld } from "./pricedWorld.js";

/** Time of the first past call; each request came a minute after the previous one. */
const START = Date.UTC(2024, 0, 1);
const MINUTE_MS = 60_000;

/**
 * Past calls, sampled from the world. For each need of a training request the fitting tools on offer are tried in
 * random order, regardless of price, until one returns the fact or enough have failed; sometimes another tool is
 * called first. The world knows whether a call helped.
 *
 * @param library name of the library for which the calls are stored
 */
export function sampleExperience(world: PricedWorld, library: string): PastCall[] {
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
