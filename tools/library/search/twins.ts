import type { ToolDefinition } from "../../tool.js";
import { distanceAt, queryOf } from "../vectors/distance.js";
import type { RankedHit } from "./needs.js";
import { byScore, type RankedLayer } from "./rank.js";
import { definitionsAt } from "../records/records.js";
import { termsOf } from "../words/words.js";

/** How many of the best hits are compared with each other; more are hardly ever shown. */
const COMPARED = 30;

/** Squared distance below which two texts mean the same to the encoders that were measured. */
const SAME_TEXT = 0.1;

/** How much less each further twin scores: of two, the second is rarely wanted; of ten, almost none is. */
const LESS_EACH = 1;

/**
 * Keeps tools that mean the same (`is_prime`, `is_prime_number`) from taking many places: the best keeps its place, the
 * others follow, each farther behind and marked by `twinOf`. Twins have texts of the same meaning and parameters of the
 * same names.
 *
 * @param hits the best first
 */
export function partTwins(layers: readonly RankedLayer[], hits: readonly RankedHit[]): RankedHit[] {
  const places = new Map<Compared, number>();
  const compared = readCompared(layers, hits.slice(0, COMPARED));
  const parted = hits.map((hit) => {
    const tool = compared.get(hit.id);
    if (!tool) return hit;
    const [first, twins] = [...places].find(([other]) => areTwins(tool, other)) ?? [tool, -1];
    places.set(first, twins + 1);
    if (first === tool) return hit;
    return { ...hit, score: hit.score - LESS_EACH * (twins + 1), twinOf: first.id };
  });
  return parted.toSorted(byScore);
}

interface Compared {
  id: string;
  vector: Float32Array;
  /** The same vector in the form that others are compared with. */
  query: Float64Array;
  parameters: string;
}

function readCompared(layers: readonly RankedLayer[], hits: readonly RankedHit[]) {
  const positions = hits.map(({ position }) => position);
  const compared = layers.flatMap(({ place, index }) => {
    const tools = definitionsAt({ ...place, positions });
    const parametersOf = new Map(tools.map((tool) => [tool.id, parameterWords(tool)]));
    return index.vectors(parametersOf.keys()).map(({ id, vector }) => {
      const parameters = parametersOf.get(id) ?? "";
      const tool: Compared = { id, vector, query: queryOf(vector), parameters };
      return [id, tool] as const;
    });
  });
  return new Map(compared);
}

function parameterWords({ parameters }: ToolDefinition): string {
  return Object.keys(parameters.properties)
    .map((name) => termsOf(name).join(" "))
    .toSorted()
    .join();
}

function areTwins(one: Compared, other: Compared): boolean {
  if (one.parameters !== other.parameters) return false;
  return distanceAt(one.query, other.vector) < SAME_TEXT;
}
