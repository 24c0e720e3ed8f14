import { z } from "zod";
import { readDataFile } from "../common/dataFile.js";
import { type AgentGraph, compileGraph } from "./compile.js";
import type { Wiring } from "./wire.js";

const needForm = z.enum(["demonstrations", "experience", "retriever"]);

/** `demonstrations` of similar tasks · `experience`: past calls of tools · `retriever`: a trained one */
export type GraphNeed = z.output<typeof needForm>;

const aboutForm = z.strictObject({
  summary: z.string(),
  /** Where the method was published. */
  source: z.string(),
  budget: z.enum(["enforced", "told", "ignored"]),
  /** Model calls of a request that one call of one tool solves. */
  modelCalls: z.int(),
  /** Data collected beforehand, without which the graph cannot do what its name promises. */
  needs: z.array(needForm).readonly().optional(),
});

/** What is known about a graph. */
export type About = z.output<typeof aboutForm>;

export const TULIP = "Tulip Agent (Ocker et al., arXiv:2407.21778)";

/** A wiring with its graph, as its file exports it. */
export interface Made {
  about: About;
  wiring: Wiring;
  graph: AgentGraph;
}

/** What families.json says, read once for all papers, by the first that is loaded. */
let known: Record<string, About> | undefined;

/** Compiles the wirings of one paper, each under its id; families.json says what is known about them. */
export function family<Id extends string>(members: Record<Id, Wiring>): Record<Id, Made> {
  const form = z.record(z.string(), aboutForm);
  const abouts = (known ??= readDataFile(new URL("families.json", import.meta.url), form));
  const made = Object.entries<Wiring>(members).map(([name, wiring]): [string, Made] => {
    const about = abouts[name];
    if (!about) throw new Error(`families.json does not tell about ${name}`);
    return [name, { about, wiring, graph: compileGraph(wiring, { name }) }];
  });
  return Object.fromEntries(made) as Record<Id, Made>;
}
