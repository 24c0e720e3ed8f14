import * as generateFlow from "./generate_flow.js";
import * as generatePersona from "./generate_persona.js";

/**
 * Graphs that write requests with their plans instead of solving requests, by id: their input and output
 * are other ones than those of `graphs`. A run writes one pair.
 */
export const generators = {
  generate_flow: {
    builder: generateFlow.builder,
    graph: generateFlow.graph,
    summary: "chains of tools that fit together, values that run, then the request for them",
    source: "AI Agent 007",
  },
  generate_persona: {
    builder: generatePersona.builder,
    graph: generatePersona.graph,
    summary: "a person's request for tools and things of the world, then its plan",
    source: "AI Agent 007",
  },
} as const;

export type GeneratorId = keyof typeof generators;
