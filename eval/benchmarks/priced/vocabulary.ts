import { PEOPLE_THEMES } from "./peopleThemes.js";
import { TRADE_THEMES } from "./tradeThemes.js";

/** Something that a request may ask for, in the words in which it may do so; the first is its name. */
export type Wordings = readonly [string, string, string];

/** What requests of one family are about. */
export interface FamilyWords {
  /** What the request is about, and what stands before the number of its reference. */
  noun: string;
  prefix: string;
  /** Sentences that may open a request; `{ref}` stands for the reference. */
  openings: readonly [string, string];
}

/** Three families of requests that may ask for the same six facets. */
export interface Theme {
  name: string;
  facets: readonly Wordings[];
  families: readonly FamilyWords[];
}

/**
 * The words of the priced world. Within a theme no wording of a facet can be taken for another facet's;
 * commas and "and" are left to lists of facets.
 */
export const THEMES: readonly Theme[] = [...TRADE_THEMES, ...PEOPLE_THEMES];

/** How a request asks; `{list}` stands for the facets, `{opening}` for a sentence of its family. */
export const ASKING_FORMS = [
  "{opening} Please tell me {list}.",
  "{opening} I need to know {list}.",
  "{opening} Can you look up {list}?",
  "Could you find out {list} for the {noun} {ref}?",
  "I would like to know {list} of the {noun} {ref}.",
] as const;

/** How the last two of several facets are joined. */
export const JOINTS = [" and ", " as well as "] as const;

/** Who offers tools; a facet's alternatives come from different ones. */
export const PROVIDERS = [
  "Alden",
  "Brix",
  "Corvo",
  "Dalia",
  "Ember",
  "Fjord",
  "Garnet",
  "Hollis",
  "Indra",
  "Jasper",
  "Kelvin",
  "Lumen",
] as const;

/** How tools describe themselves; `{facet}` stands for all wordings, `{nouns}` for the theme's families. */
export const DESCRIPTIONS = [
  "Looks up {facet} for a {nouns} by its reference.",
  "{provider} service that returns {facet} of a {nouns}.",
  "Reports {facet} when given the reference of a {nouns}.",
  "Answers questions about {facet} on record for a {nouns}.",
] as const;

/** What a tool says that has nothing to say; none of it can be taken for a fact by its form. */
export const EMPTY_TEXTS = [
  "this depends on the circumstances, see the general terms",
  "details are handled by the department in charge",
  "our records are being updated, usual values apply",
  "an overview is given in the annual brochure",
] as const;

/** How calls fail openly. */
export const ERRORS = [
  "ServiceUnavailable: the service could not be reached",
  "UpstreamTimeout: no answer came in time",
  "QuotaExceeded: too many requests at the moment",
  "InternalError: the request could not be processed",
] as const;
