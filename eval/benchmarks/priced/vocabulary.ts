import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";

const texts = z.array(z.string()).min(1).readonly();

/** Something that a request may ask for, in the words in which it may do so; the first is its name. */
const wordings = z.tuple([z.string(), z.string(), z.string()]).readonly();

/** What requests of one family are about. */
const familyWords = z.strictObject({
  /** What the request is about, and what stands before the number of its reference. */
  noun: z.string(),
  prefix: z.string(),
  /** Sentences that may open a request; `{ref}` stands for the reference. */
  openings: z.tuple([z.string(), z.string()]).readonly(),
});
export type FamilyWords = z.output<typeof familyWords>;

/** Three families of requests that may ask for the same six facets. */
const theme = z.strictObject({
  name: z.string(),
  facets: z.array(wordings).length(6).readonly(),
  families: z.array(familyWords).length(3).readonly(),
});

/** The words of the priced world. */
const vocabulary = z.strictObject({
  /** How a request asks; `{list}` stands for the facets, `{opening}` for a sentence of its family. */
  askingForms: texts,
  /** How the last two of several facets are joined. */
  joints: texts,
  /** Who offers tools; a facet's alternatives come from different ones. */
  providers: texts,
  /** How tools describe themselves; `{facet}` stands for all wordings, `{nouns}` for the theme's families. */
  descriptions: texts,
  /** What a tool says that has nothing to say; none of it can be taken for a fact by its form. */
  emptyTexts: texts,
  /** How calls fail openly. */
  errors: texts,
  /**
   * Within a theme no wording of a facet can be taken for another facet's; commas and "and" are left to
   * lists of facets.
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
