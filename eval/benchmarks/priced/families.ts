import { type FamilyWords, THEMES } from "./vocabulary.js";

/** A kind of request; `noun` is its name. */
export interface Family extends FamilyWords {
  theme: string;
  /** Names of what its requests may ask for. */
  facets: string[];
}

/** Something that requests ask for and tools tell. */
export interface Facet {
  name: string;
  theme: string;
  /** The ways to say it, the name first. */
  wordings: readonly string[];
  /** All of them in one phrase, as tools write it. */
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
