import { search } from "../nodes/finding/search.js";
import { intake } from "../nodes/request/intake.js";
import { type About, TPTU } from "./about.js";
import { compileGraph } from "./compile.js";
import { toolLoop } from "./toolLoop.js";
import { wire } from "./wire.js";

export const about: About = {
  summary:
    "One search with the request itself (published: 43.33 %, with a tuned model 80 %); uses a trained retriever",
  source: `${TPTU}: API retriever`,
  budget: "enforced",
  modelCalls: 2,
  needs: ["retriever"],
};

/** The tools found by searching with the request (TPTU-v2: the base model with the retriever). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "act" },
  ...toolLoop,
});

export const graph = compileGraph(wiring, { name: "tptu_retriever" });
