import { afterAll, describe } from "vitest";
import { GRAPH_IDS } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { startServer } from "../fakes/langgraphServer.js";
import { programFile } from "../fakes/programs.js";
import { sharedCases } from "../langgraph/sharedCases.js";

afterAll(closeWorkspaces);

describe("tulipgraph serve", () => {
  const program = programFile("tests/fakes/commandLine.ts");
  // Runs wait for a thread that another process holds as long as that process might be dead.
  const command = [process.execPath, program, "serve", "--lease-seconds", "2"] as const;
  sharedCases({
    start: () => startServer({ command: [...command], isOurs: true }),
    served: GRAPH_IDS,
  });
});
