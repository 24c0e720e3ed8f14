import type { BudgetUse } from "../nodes/request/intake.js";
import { type AgentGraph, compileGraph } from "./compile.js";
import type { Wiring } from "./wire.js";

/** What is known about a graph. */
export interface About {
  summary: string;
  /** Where the method was published. */
  source: string;
  budget: BudgetUse;
  /** Model calls of a request that one call of one tool solves. */
  modelCalls: number;
  /** Data collected beforehand, without which the graph cannot do what its name promises. */
  needs?: readonly GraphNeed[];
}

/** `demonstrations` of similar tasks · `experience`: past calls of tools · `retriever`: a trained one */
export type GraphNeed = "demonstrations" | "experience" | "retriever";

export const TULIP = "Tulip Agent (Ocker et al., arXiv:2407.21778)";

/** A wiring with its graph, as its file exports it. */
export interface Made {
  about: About;
  wiring: Wiring;
  graph: AgentGraph;
}

/** Compiles the wirings of one paper, each under its id. */
export function family<Id extends string>(
  members: Record<Id, About & { wiring: Wiring }>,
): Record<Id, Made> {
  const made = Object.entries<About & { wiring: Wiring }>(members).map(
    ([name, { wiring, ...about }]): [string, Made] => [
      name,
      { about, wiring, graph: compileGraph(wiring, { name }) },
    ],
  );
  return Object.fromEntries(made) as Record<Id, Made>;
}
