import { afterAll, describe } from "vitest";
import { GRAPH_IDS } from "../../graphs/index.js";
import { closeWorkspaces } from "../../nodes/workspace/workspace.js";
import { hasPostgres, makeDatabase } from "../fakes/homes.js";
import { startServer } from "../fakes/langgraphServer.js";
import { programFile } from "../fakes/programs.js";
import { sharedCases } from "../langgraph/sharedCases.js";

/** Runs wait for a thread that another process holds as long as that process might be dead. */
const LEASE = ["--lease-seconds", "2"];

afterAll(closeWorkspaces);

function serve(env: NodeJS.ProcessEnv = {}) {
  const program = programFile("tests/fakes/commandLine.ts");
  const command = [process.execPath, program, "serve", ...LEASE] as const;
  return startServer({ command: [...command], env, isOurs: true });
}

describe("tulipgraph serve (SQLite)", () => {
  sharedCases({ start: () => serve(), served: GRAPH_IDS });
});

describe.skipIf(!hasPostgres)("tulipgraph serve (Postgres)", () => {
  let url = "";
  sharedCases({
    start: async () => {
      const database = await makeDatabase();
      url = database.url;
      const server = await serve({ TULIPGRAPH_DATABASE_URL: url });
      return {
        url: server.url,
        stop: async () => {
          await server.stop();
          await closeWorkspaces();
          await database.drop();
        },
      };
    },
    served: GRAPH_IDS,
    database: () => url,
  });
});
