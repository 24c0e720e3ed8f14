import { END } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { intake } from "../nodes/request/intake.js";
import { respond } from "../nodes/request/respond.js";
import { type About, TULIP } from "./about.js";
import { compileGraph } from "./compile.js";
import { wire } from "./wire.js";

export const about: About = {
  summary: "One model call without tools",
  source: `${TULIP}: BaseAgent`,
  budget: "enforced",
  modelCalls: 1,
};

/** BaseAgent: one model call, no tools (Tulip Agent). */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "act" },
  act: { run: act({ tools: "none" }), next: "respond" },
  respond: { run: respond(), next: END },
});

export const graph = compileGraph(wiring, { name: "base" });
