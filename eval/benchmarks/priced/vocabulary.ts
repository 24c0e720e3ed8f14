import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { inRandomOrder, type Random, randomFor } from "../../statistics/random.js";

const texts = z.array(z.string()).min(1).readonly();

/** The wordings of something that a request may ask for; the first is its name. */
const wordings = z.tuple([z.string(), z.string(), z.string()]).readonly();

const familyWords = z.strictObject({
  /** The subject of the requests, and the prefix of its references. */
  noun: z.string(),
  prefix: z.string(),
  /** Sentences that may open a request; `{ref}` stands for the reference. */
  openings: z.tuple([z.string(), z.string()]).readonly(),
});
export type FamilyWords = z.output<typeof familyWords>;

/** Three families of requests that can ask for the same six facets. */
const theme = z.strictObject({
  name: z.string(),
  facets: z.array(wordings).length(6).readonly(),
  families: z.array(familyWords).length(3).readonly(),
});

const vocabulary = z.strictObject({
  /** How a request asks; `{list}` is for the facets, `{opening}` for a sentence of its family. */
  askingForms: texts,
  /** How the last two of several facets are joined. */
  joints: texts,
  /** Providers of tools; the alternatives for a facet come from different providers. */
  providers: texts,
  /** Descriptions of tools; `{facet}` is for all wordings, `{nouns}` for the theme's families. */
  descriptions: texts,
  /** What a tool returns if it has no fact; the form never resembles a fact. */
  emptyTexts: texts,
  errors: texts,
  /**
   * Within a theme no wording of a facet can be mistaken for that of another. Wordings contain no comma and no "and",
   * which separate facets.
   */
  themes: z.array(theme).readonly(),
});

export const {
  askingForms: ASKING_FORMS,
  joints: JOINTS,
  providers: PROVIDERS,
  descriptions: DESCRIPTIONS,
  emptyTexts: EMPTY_TEXTS,
  errors: ERRORS,
  themes: THEMES,
} = readDataFile(new URL("vocabulary.json", import.meta.url), vocabulary);

/** A kind of request; `noun` is its name. */
export interface Family extends FamilyWords {
  theme: string;
  facets: string[];
}

/** Something that requests ask for and tools return. */
export interface Facet {
  name: string;
  theme: string;
  /** Its wordings, the name first. */
  wordings: readonly string[];
  /** All of them in one phrase, for descriptions of tools. */
  label: string;
}

/** The families of requests in the order of the vocabulary. */
export function makeFamilies(): Family[] {
  return THEMES.flatMap(({ name: theme, facets, families }) =>
    families.map((words) => ({ ...words, theme, facets: facets.map(([name]) => name) })),
  );
}

/** The facets in the order of the vocabulary. */
export function makeFacets(): Facet[] {
  return THEMES.flatMap(({ name: theme, facets }) =>
    facets.map((wordings) => {
      const [name, ...others] = wordings;
      return { name, theme, wordings, label: `${name} (${others.join("; ")})` };
    }),
  );
}

/**
 * Draws for one thing: they do not depend on other things or their order.
 *
 * @param about the seed, then the name of the thing
 */
export function drawsFor(...about: readonly (string | number)[]): Random {
  return randomFor(about.join("\n"));
}

/** @throws RangeError if there is nothing to choose from */
export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const [chosen] = someOf(items, { count: 1, random });
  if (chosen === undefined) throw new RangeError("there is nothing to choose from");
  return chosen;
}

/** At most `count` different items in random order. */
export function someOf<Item>(
  items: readonly Item[],
  { count, random }: { count: number; random: Random },
): Item[] {
  return inRandomOrder(items, random).slice(0, count);
}

/** A uniform draw between two numbers. */
export function between({ least, most }: { least: number; most: number }, random: Random): number {
  return least + random() * (most - least);
}

/** A whole number, including both ends. */
export function wholeBetween(range: { least: number; most: number }, random: Random): number {
  return Math.floor(between({ least: range.least, most: range.most + 1 }, random));
}
