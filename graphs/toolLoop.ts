import { END } from "@langchain/langgraph";
import { act } from "../nodes/acting/act.js";
import { execute } from "../nodes/acting/execute.js";
import { judge } from "../nodes/acting/judge.js";
import { respond } from "../nodes/request/respond.js";
import { calling, remembering, unjudged } from "./conditions.js";

/** The end of most wirings: a model calls the tools found until it has an answer (Tulip Agent). */
export const toolLoop = {
  act: { run: act({ tools: "found" }), next: [[calling, "execute"], "respond"] },
  execute: { run: execute(), next: [[remembering, "judge"], "act"] },
  judge: { run: judge(), next: [[unjudged, "judge"], "act"] },
  respond: { run: respond(), next: END },
} as const;
