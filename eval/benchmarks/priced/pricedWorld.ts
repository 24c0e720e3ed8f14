import type { ToolDefinition } from "../../../tools/tool.js";
import { makeRequests } from "./pricedRequests.js";
import {
  between,
  DESCRIPTIONS,
  drawsFor,
  type Facet,
  type Family,
  makeFacets,
  makeFamilies,
  oneOf,
  PROVIDERS,
  someOf,
  wholeBetween,
} from "./vocabulary.js";

/**
 * The parameters of the priced world. They were chosen before any graph was run in it, for the reasons given, and
 * must not change: figures of different days are about the same world.
 */
export const WORLD_PARAMETERS = {
  /** All draws depend on it. */
  seed: 2402,
  /** Enough test requests to distinguish the strategies of the published comparison. */
  testRequests: 600,
  /** A hundred past requests for each of the 30 families. */
  trainingRequests: 3000,
  /** Share of requests with one, two and three needs: mostly more than one, as in ToolBench. */
  needShares: [0.3, 0.4, 0.3],
  /** Tools that serve one facet, at different prices: enough to choose among. */
  alternatives: 4,
  /** Units of one call, drawn evenly (BTP: whole numbers from 1 to 10). */
  cost: { least: 1, most: 10 },
  /** Probability that a call returns its fact: a retry is sometimes worth it, never certain. */
  reliability: { least: 0.5, most: 0.95 },
  /**
   * Probability that a fitting tool is useful to a family at all: about a third of the fitting tools never is, so that
   * experience has something to teach.
   */
  usefulShare: 0.7,
  /** Share of a tool's failures that show as errors; the rest are texts without the fact. */
  errorShare: { least: 0.2, most: 0.8 },
  /** Milliseconds of a call, drawn evenly on a logarithmic scale: from a cache to a slow service. */
  latencyMs: { least: 50, most: 2000 },
  /** Largest deviation of a call from its tool's latency, as a share of it. */
  latencySpread: 0.25,
  /**
   * What a retriever offers for each need: five tools (BTP), of which three serve the need and two something else of
   * the same theme. One fitting tool in four is missed.
   */
  offered: { fitting: 3, other: 2 },
  /** How the past was explored: without preferences that a plan could mistake for knowledge. */
  experience: {
    /** Fitting tools that are tried for a need, in random order, until one returns the fact. */
    mostTries: 3,
    /** Probability that a tool for something else is called first. */
    wrongCall: 0.15,
  },
};

export type WorldParameters = typeof WORLD_PARAMETERS;

/** Name of the world that answers calls of its tools. */
export const PRICED_WORLD = "priced";

/** A simulated tool, with properties that only the world knows. */
export interface PricedTool {
  id: string;
  description: string;
  facet: string;
  theme: string;
  /** Units of one call. */
  cost: number;
  /** Probability that a call returns the fact, for families to which the tool is useful. */
  reliability: number;
  /** Share of its failures that are errors; the others are texts without the fact. */
  errorShare: number;
  /** Milliseconds that a call takes on average. */
  latencyMs: number;
  /** Families to which it is useful; for the others of its theme every call fails. */
  usefulTo: ReadonlySet<string>;
}

function makeTools(
  parameters: WorldParameters,
  facets: readonly Facet[],
  families: readonly Family[],
): PricedTool[] {
  const { seed, alternatives: count } = parameters;
  return facets.flatMap((facet) => {
    const asking = families.filter(({ facets }) => facets.includes(facet.name));
    const random = drawsFor(seed, "providers", facet.name);
    return someOf(PROVIDERS, { count, random }).map((provider) =>
      makeTool({ parameters, facet, asking, provider }),
    );
  });
}

function makeTool(options: {
  parameters: WorldParameters;
  facet: Facet;
  asking: readonly Family[];
  provider: string;
}): PricedTool {
  const { parameters, facet, asking, provider } = options;
  const { seed, cost, reliability, errorShare, latencyMs, usefulShare } = parameters;
  const id = `${facet.name} ${provider}`.toLowerCase().replaceAll(/[^a-z]+/g, "_");
  const random = drawsFor(seed, "tool", id);
  const nouns = asking.map(({ noun }) => noun).join(" or ");
  return {
    id,
    description: oneOf(DESCRIPTIONS, random)
      .replace("{provider}", provider)
      .replace("{facet}", facet.label)
      .replace("{nouns}", nouns),
    facet: facet.name,
    theme: facet.theme,
    cost: wholeBetween(cost, random),
    reliability: between(reliability, random),
    errorShare: between(errorShare, random),
    latencyMs: Math.exp(
      between({ least: Math.log(latencyMs.least), most: Math.log(latencyMs.most) }, random),
    ),
    usefulTo: new Set(asking.map(({ noun }) => noun).filter(() => random() < usefulShare)),
  };
}

/** The public part of a tool, which has no function: the world answers it. */
export function declarationOf({ id, description, cost }: PricedTool): ToolDefinition {
  return {
    id,
    name: id,
    description,
    parameters: {
      type: "object",
      properties: {
        reference: {
          type: "string",
          description: "The reference that the request names: two letters, a hyphen and a number",
        },
      },
      required: ["reference"],
      additionalProperties: false,
    },
    returns: { type: "string" },
    source: { kind: "declared", file: `${PRICED_WORLD}.jsonl`, world: PRICED_WORLD },
    effects: "read",
    cost,
  };
}

/**
 * A world of tools; only the world knows their prices, reliabilities and uses. Requests come from families, and each
 * asks for up to three facets of the subject that its reference names. Several tools serve each facet, but not all of
 * them are useful to every family.
 */
export type PricedWorld = ReturnType<typeof makeWorld>;

/** Makes the world; the same parameters give the same world. */
export function makeWorld(parameters: WorldParameters = WORLD_PARAMETERS) {
  const families = makeFamilies();
  const facets = makeFacets();
  const tools = makeTools(parameters, facets, families);
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
    facets: byKey(facets, ({ name }) => name),
    tools: byKey(tools, ({ id }) => id),
    requests,
    /** Past requests, from which experience is sampled. */
    training,
    byReference: byKey([...requests, ...training], ({ reference }) => reference),
  };
}

function byKey<Item>(items: readonly Item[], key: (item: Item) => string): Map<string, Item> {
  return new Map(items.map((item) => [key(item), item]));
}
