import type { Random } from "../../statistics/random.js";
import {
  ASKING_FORMS,
  drawsFor,
  type Facet,
  type Family,
  JOINTS,
  oneOf,
  someOf,
} from "./vocabulary.js";
import type { PricedTool, WorldParameters } from "./pricedWorld.js";

/** A request and what would fulfil it. */
export interface PricedRequest {
  id: string;
  /** Names the subject of the request; unique. */
  reference: string;
  text: string;
  /** Noun of its family. */
  family: string;
  /** Names of the facets that it asks for, in order. */
  needs: string[];
  /** Ids of the tools that a retriever offers, need by need. */
  candidates: string[];
}

interface Origin {
  parameters: WorldParameters;
  families: readonly Family[];
  facets: readonly Facet[];
  tools: readonly PricedTool[];
}

/** The numbers in references are the {@link REFERENCES} numbers from this one on. */
const SMALLEST_REFERENCE = 10_000;
const REFERENCES = 90_000;
/** Has no common factor with {@link REFERENCES}, so that every number comes once, and not in order. */
const STRIDE = 7919;

/**
 * Requests of random families in random words.
 *
 * @param options.kind begins their ids
 * @param options.first how many requests there are before these
 */
export function makeRequests(
  options: Origin & { kind: string; count: number; first: number },
): PricedRequest[] {
  const { kind, count, first, parameters, families } = options;
  return Array.from({ length: count }, (_, index) => {
    const id = `${kind}-${String(index + 1).padStart(4, "0")}`;
    const random = drawsFor(parameters.seed, "request", id);
    const family = oneOf(families, random);
    const number = SMALLEST_REFERENCE + (((first + index) * STRIDE) % REFERENCES);
    const reference = `${family.prefix}-${number}`;
    const needs = someOf(family.facets, { count: needCount(parameters, random), random });
    return {
      id,
      reference,
      text: wording({ ...options, family, needs, reference, random }),
      family: family.noun,
      needs,
      candidates: [
        ...new Set(needs.flatMap((need) => retrieved({ ...options, family, need, random }))),
      ],
    };
  });
}

function needCount({ needShares }: WorldParameters, random: Random): number {
  let rest = random();
  const index = needShares.findIndex((share) => (rest -= share) < 0);
  // The shares sum to 1 but for rounding.
  return index < 0 ? needShares.length : index + 1;
}

function wording(options: {
  facets: readonly Facet[];
  family: Family;
  needs: readonly string[];
  reference: string;
  random: Random;
}): string {
  const { facets, family, needs, reference, random } = options;
  const phrases = needs.map((need) => {
    const facet = facets.find(({ name }) => name === need);
    return `the ${oneOf(facet?.wordings ?? [need], random)}`;
  });
  const [last, ...others] = phrases.toReversed();
  const before = others.toReversed().join(", ");
  const list = before === "" ? last : `${before}${oneOf(JOINTS, random)}${last}`;
  return oneOf(ASKING_FORMS, random)
    .replace("{opening}", oneOf(family.openings, random))
    .replace("{list}", list ?? "")
    .replace("{noun}", family.noun)
    .replace("{ref}", reference);
}

/** Most of the tools that serve a need, mixed with others of the same theme. */
function retrieved(options: {
  parameters: WorldParameters;
  family: Family;
  tools: readonly PricedTool[];
  need: string;
  random: Random;
}): string[] {
  const { parameters, family, tools, need, random } = options;
  const { fitting, other } = parameters.offered;
  const near = tools.filter(({ theme, facet }) => theme === family.theme && facet !== need);
  const serving = tools.filter(({ facet }) => facet === need);
  const found = [
    ...someOf(serving, { count: fitting, random }),
    ...someOf(near, { count: other, random }),
  ];
  return someOf(found, { count: found.length, random }).map(({ id }) => id);
}
