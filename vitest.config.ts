import { defineConfig } from "vitest/config";
import { compiledEntries } from "./tests/compiled.js";

const EVERYTHING = "tests/**/*.test.ts";

/** Files that tests read, not tests of this project. */
const MATERIAL = ["**/node_modules/**", "tests/fixtures/**"];

/**
 * Tests that are slow by nature: they kill dozens of processes, load servers, start LangGraph's own server or a browser,
 * run whole experiments or other projects' test suites, or install the package and use it on other versions of Node.
 * Only `npm test -- --all` runs them.
 */
const CAMPAIGNS = [
  "tests/cli/eval/{killed,queue}.test.ts",
  "tests/cli/runs/{programKilled,resume,resumeSearch,savedPlanKilled}.test.ts",
  "tests/cli/{sources/manyServers,twoHomes}.test.ts",
  "tests/deploy/imageSteps.test.ts",
  "tests/eval/report/browser.test.ts",
  "tests/examples/{allYourTools,ownWiring}.test.ts",
  "tests/graphs/killedRuns.test.ts",
  "tests/agents/mcp/conformance.test.ts",
  "tests/langgraph/{package,server}.test.ts",
  "tests/server/{console/page,forks,kills,load,processes}.test.ts",
  "tests/storage/databaseAway.test.ts",
  "tests/tools/sources/mcp/conformance.test.ts",
  "tests/tools/sources/openapi/github.test.ts",
];

/**
 * Tests that start and stop processes, or wait for them. They run after all others, so that neither slows the other
 * down.
 */
const PROCESSES = [
  "tests/cli/mcp.test.ts",
  "tests/eval/runs/queue/**/*.test.ts",
  "tests/langgraph/dockerfile.test.ts",
  "tests/memory/openExperience.test.ts",
  "tests/models/{embeddingCache,realTransformers}.test.ts",
  "tests/scripts/**/*.test.ts",
  "tests/server/telemetry/served.test.ts",
  "tests/server/api.test.ts",
  "tests/storage/{sqlite,artefacts}.test.ts",
  "tests/tools/library/{editProcesses,processes}.test.ts",
  "tests/tools/runtime/{functionWorkers,interruption,runtime}.test.ts",
  "tests/tools/runtime/sandbox/*.test.ts",
];

/**
 * Tests that change something process-wide: modules, the working directory, shared threads. Each file gets its own
 * process.
 */
const ALONE = [
  "tests/cli/badInput.test.ts",
  "tests/models/encoder.test.ts",
  "tests/models/retries.test.ts",
  "tests/server/telemetry/langsmith.test.ts",
];

const common = {
  environment: "node",
  pool: "forks" as const,
  setupFiles: ["tests/setup.ts"],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};

/** Processes take long to start on a busy machine. */
const patient = { ...common, testTimeout: 120_000, hookTimeout: 120_000 };

/** Campaigns wait for installations, leases and kills. */
const longest = { ...common, testTimeout: 300_000, hookTimeout: 300_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: [
      "tests/memoryFolder.ts",
      "tests/compiled.ts",
      "tests/preparedHome.ts",
      "tests/postgresServer.ts",
    ],
    projects: [
      {
        plugins: [compiledEntries()],
        test: {
          ...common,
          name: "shared",
          include: [EVERYTHING],
          exclude: [...MATERIAL, ...ALONE, ...PROCESSES, ...CAMPAIGNS],
          // Files share two processes and what these have loaded: modules, the compiler, the encoder.
          isolate: false,
        },
      },
      {
        plugins: [compiledEntries()],
        test: { ...patient, name: "alone", include: ALONE },
      },
      {
        plugins: [compiledEntries()],
        test: {
          ...patient,
          name: "processes",
          include: PROCESSES,
          exclude: [...MATERIAL, ...CAMPAIGNS],
          sequence: { groupOrder: 1 },
          // They mostly wait for other processes.
          maxWorkers: 3,
        },
      },
      {
        plugins: [compiledEntries()],
        test: {
          ...longest,
          name: "campaigns",
          include: CAMPAIGNS,
          sequence: { groupOrder: 2 },
          maxWorkers: 3,
        },
      },
    ],
  },
});
