import type { ToolDefinition } from "../../../tools/tool.js";
import { between, drawsFor, oneOf, someOf, wholeBetween } from "./seededDraws.js";
import { type Facet, type Family, DESCRIPTIONS, PROVIDERS } from "./vocabulary.js";
import type { WorldParameters } from "./worldParameters.js";

/** Name of the world that answers calls of its tools. */
export const PRICED_WORLD = "priced";

/** A simulated tool, with properties that only the world knows. */
export interface PricedTool {
  id: string;
  description: string;
  /** Name of the facet that it returns. */
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

/** The alternative tools for every facet. */
export function makeTools(options: {
  parameters: WorldParameters;
  facets: readonly Facet[];
  families: readonly Family[];
}): PricedTool[] {
  const { parameters, facets, families } = options;
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
