import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { VARIABLES, misspeltVariables } from "../../cli/variables.js";

it("a misspelt variable is told, and nobody else's is", () => {
  const told = misspeltVariables({
    TULIPGRAPH_DATBASE_URL: "postgres://db/x",
    TULIPGRAPH_Home: ".",
    TULIPGRAPH_MODEL: "offline:planner",
    TULIPGRAPH_API_KEY: "of a client",
    HOME: "/",
  });
  expect(told).toEqual([
    "note: TULIPGRAPH_DATBASE_URL is not read; did you mean TULIPGRAPH_DATABASE_URL?",
    "note: TULIPGRAPH_Home is not read; did you mean TULIPGRAPH_HOME?",
  ]);
});

it("the variables are those that the sources read", () => {
  const folders = ["cli", "home", "server", "state", "models", "tools", "storage", "scripts"];
  const args = ["grep", "-hoE", "TULIPGRAPH_[A-Z_]+[A-Z]", "--", ...folders];
  const named = execFileSync("git", args).toString().trim().split("\n");
  // Of the documents for clients, and of the tests.
  const others = ["TULIPGRAPH_API_KEY", "TULIPGRAPH_WORKER_MB"];
  const read = new Set(named.filter((name) => !others.includes(name)));
  expect([...read].toSorted()).toEqual(VARIABLES.toSorted());
});
