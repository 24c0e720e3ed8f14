import { END } from "@langchain/langgraph";
import { closeWorkspaces, compileGraph, conditions, stage, wire } from "tulipgraph";
import { act } from "tulipgraph/nodes/acting/act.js";
import { execute } from "tulipgraph/nodes/acting/execute.js";
import { search } from "tulipgraph/nodes/finding/search.js";
import { intake } from "tulipgraph/nodes/request/intake.js";
import { respond } from "tulipgraph/nodes/request/respond.js";

/** Names the tools behind an answer. */
function cite() {
  return stage({}, ({ answer, calls }) => {
    const tools = [...new Set(calls.map(({ tool }) => tool))];
    return tools.length > 0 ? { answer: `${answer} (by ${tools.join(", ")})` } : {};
  });
}

/** Like minimal_tulip, with one more stage between the answer and the end: a run that ends in `act` goes on to `cite`. */
const wiring = wire("intake", {
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

const graph = compileGraph(wiring, { name: "citing" });
const { answer } = await graph.invoke({
  request: process.argv[2] ?? "What is the area of a circle with radius 3?",
});
process.stdout.write(`${answer}\n`);
await closeWorkspaces();
