/**
 * Graphs that write requests with plans instead of solving requests, by id. Their input and output differ from those of
 * solving graphs. A run writes one pair.
 */
export const generators = {
  generate_flow: () => import("./generate_flow.js"),
  generate_persona: () => import("./generate_persona.js"),
};

export type GeneratorId = keyof typeof generators;

export const GENERATOR_IDS = Object.keys(generators) as GeneratorId[];
