import { END } from "@langchain/langgraph";
import { conditions, stage, wire } from "tulipgraph";
import { act } from "tulipgraph/nodes/acting/act.js";
import { execute } from "tulipgraph/nodes/acting/execute.js";
import { search } from "tulipgraph/nodes/finding/search.js";
import { intake } from "tulipgraph/nodes/request/intake.js";
import { respond } from "tulipgraph/nodes/request/respond.js";

/** Names the tools behind an answer. */
function cite() {
  return stage({ lines: () => ["names its tools"] }, ({ answer, calls }) => {
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    return tools.length > 0 ? { answer: `${answer} (by ${tools.join(", ")})` } : {};
  });
}

/** Like minimal_tulip, with one more stage between the answer and the end: a run that ends in `act` goes on to `cite`. */
export const wiring = wire("intake", {
  intake: { run: intake(), next: "search" },
  search: { run: search({ by: "request" }), next: "act" },
  act: {
    run: act({ tools: "found" }),
    next: [[conditions.calling, "execute"], "respond"],
    ended: "cite",
  },
  execute: { run: execute(), next: "act" },
  cite: { run: cite(), next: "respond" },
  respond: { run: respond(), next: END },
});
