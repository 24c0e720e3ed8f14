import { END } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { searchCalls } from "../nodes/acting/searchCalls.js";
import { reflect } from "../nodes/planning/reflect.js";
import { respond } from "../nodes/request/respond.js";
import { calling, remembering, searching, unjudged } from "./conditions.js";

/** The end of every wiring that acts: its answer may be looked at once more, against the receipt of the run. */
export const answered = {
  reflect: { run: reflect({ on: "answer" }), next: "respond", ended: "respond" },
  respond: { run: respond(), next: END },
} as const;

/**
 * The end of most wirings: a model calls the tools found until it has an answer (Tulip Agent). It may search for
 * others on the way, as a first search may have found the wrong ones.
 */
export const toolLoop = {
  act: {
    run: act({ tools: "found" }),
    next: [[searching, "searchCalls"], [calling, "execute"], "respond"],
  },
  searchCalls: { run: searchCalls(), next: [[calling, "execute"], "act"] },
  execute: { run: execute(), next: [[remembering, "judge"], "act"] },
  judge: { run: judge(), next: [[unjudged, "judge"], "act"] },
  ...answered,
} as const;
