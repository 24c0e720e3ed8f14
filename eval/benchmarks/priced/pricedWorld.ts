import { type WorldParameters, WORLD_PARAMETERS } from "./worldParameters.js";
import { type Family, type Facet, makeFacets, makeFamilies } from "./vocabulary.js";
import { type PricedRequest, makeRequests } from "./pricedRequests.js";
import { type PricedTool, makeTools } from "./pricedTools.js";

/**
 * A world of tools; only the world knows their prices, reliabilities and uses. Requests come from families, and each
 * asks for up to three facets of the subject that its reference names. Several tools serve each facet, but not all of
 * them are useful to every family.
 */
export interface PricedWorld {
  parameters: WorldParameters;
  families: ReadonlyMap<string, Family>;
  facets: ReadonlyMap<string, Facet>;
  tools: ReadonlyMap<string, PricedTool>;
  /** Requests to be solved. */
  requests: PricedRequest[];
  /** Past requests, from which experience is sampled. */
  training: PricedRequest[];
  /** All requests by reference. */
  byReference: ReadonlyMap<string, PricedRequest>;
}

/** Makes the world; the same parameters give the same world. */
export function makeWorld(parameters: WorldParameters = WORLD_PARAMETERS): PricedWorld {
  const families = makeFamilies();
  const facets = makeFacets();
  const tools = makeTools({ parameters, facets, families });
  const asked = { parameters, families, facets, tools };
  const { testRequests, trainingRequests } = parameters;
  const requests = makeRequests({ ...asked, kind: "priced", count: testRequests, first: 0 });
  const training = makeRequests({
    ...asked,
    kind: "past",
    count: trainingRequests,
    first: testRequests,
  });
  return {
    parameters,
    families: byKey(families, ({ noun }) => noun),
    facets: byKey(facets, ({ name }) => name),
    tools: byKey(tools, ({ id }) => id),
    requests,
    training,
    byReference: byKey([...requests, ...training], ({ reference }) => reference),
  };
}

function byKey<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item> {
  return new Map(items.map((item) => [key(item), item]));
}
