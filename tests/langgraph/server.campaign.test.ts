import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GRAPH_IDS } from "../../graphs/index.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { type LangGraphServer, ROOT, startServer } from "../fakes/langgraphServer.js";
import { sharedCases } from "./sharedCases.js";

let server: LangGraphServer;

afterAll(async () => {
  await closeWorkspaces();
});

describe("langgraphjs dev", () => {
  sharedCases({
    start: async () => {
      const command = join(ROOT, "node_modules/.bin/langgraphjs");
      return (server = await startServer({ command: [command, "dev", "--no-reload"] }));
    },
    served: GRAPH_IDS,
  });

  it("has no process that has tried to reach another machine", () => {
    expect(server.seen().length).toBeGreaterThan(1);
    expect(server.seen().filter(({ host }) => host !== undefined)).toEqual([]);
  });
});
