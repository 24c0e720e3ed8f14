import { type UserWorkspaceConfig as ProjectConfig, defineConfig } from "vitest/config";
import { compiledEntries } from "./tests/compiled.js";

const EVERYTHING = "tests/**/*.test.ts";

/** Files that tests read, not tests of this project. */
const MATERIAL = ["**/node_modules/**", "tests/fixtures/**"];

/**
 * Tests that are slow by nature: they kill dozens of processes, load servers, start LangGraph's own server or a browser,
 * run whole experiments, or install the package and use it on other versions of Node. `npm test` leaves them out.
 */
const CAMPAIGNS = [
  "tests/cli/eval/killed.test.ts",
  "tests/cli/runs/{programKilled,resume,resumeSearch,savedPlanKilled}.test.ts",
  "tests/cli/{sources/manyServers,twoHomes}.test.ts",
  "tests/eval/replay/hundredRuns.test.ts",
  "tests/docs/{blocks,site}.test.ts",
  "tests/eval/report/browser.test.ts",
  "tests/examples/ownWiring.test.ts",
  "tests/langgraph/{package,packageCommands,server}.test.ts",
  "tests/server/page/{approve,connect,files,find,keyboard,keys,large,page}.test.ts",
  "tests/server/{abuse,forks,kills,load,oneHome,processes}.test.ts",
  "tests/storage/databaseAway.test.ts",
  "tests/tools/sources/mcp/tasks.test.ts",
];

/**
 * Campaigns that few changes can break: they build an image, run other projects' test suites, and read all of GitHub's
 * API. Only `npm test -- --all` runs them, as before a release.
 */
const RELEASE_CAMPAIGNS = [
  "tests/agents/mcp/conformance.test.ts",
  "tests/deploy/imageSteps.test.ts",
  "tests/examples/allYourTools.test.ts",
  "tests/langgraph/{dockerfileSteps,packageMatrix}.test.ts",
  "tests/tools/sources/mcp/conformance.test.ts",
];

/**
 * Tests that start and stop processes, or wait for them. They run after all others, so that neither slows the other
 * down.
 */
const PROCESSES = [
  "tests/cli/{completion,mcp}.test.ts",
  "tests/langgraph/dockerfile.test.ts",
  "tests/memory/openExperience.test.ts",
  "tests/scripts/**/*.test.ts",
  "tests/server/telemetry/served.test.ts",
  "tests/server/access/{leaks,takeOver}.test.ts",
  "tests/server/page/ask.test.ts",
  "tests/server/{api,failures,npx,restarts,startFails}.test.ts",
  "tests/storage/{sqlite,artefacts,sharedFiles,keptHomes,migrate}.test.ts",
  "tests/tools/library/{editProcesses,processes}.test.ts",
  "tests/tools/calls/{functions/functionWorkers,interruption,runtime}.test.ts",
  "tests/tools/calls/sandbox/*.test.ts",
];

/**
 * Tests that change something process-wide: modules, the working directory, shared threads. Each file gets its own
 * process.
 */
const ALONE = [
  "tests/cli/badInput.test.ts",
  "tests/models/embeddings/encoder.test.ts",
  "tests/models/retries.test.ts",
  "tests/server/telemetry/langsmith.test.ts",
];

/** Tests of many cases at once: at random, of whole catalogs or kits, or in programs of their own. */
const LONG = [
  "tests/cli/eval/run.test.ts",
  "tests/cli/tools/tools.test.ts",
  "tests/docs/{contributing,examples,plans}.test.ts",
  "tests/examples/existingAgent.test.ts",
  "tests/graphs/{budget,changedMeanwhile,contract,dfsTulipEnds,flowHonest,runCosts,searches,tulip}.test.ts",
  "tests/memory/classifierTraining.test.ts",
  "tests/plans/language/runLikeJavaScript.test.ts",
  "tests/server/{access/routes,badInput,decisions}.test.ts",
  "tests/tools/sources/compiler/compiler.test.ts",
  "tests/tools/library/{changeSequences,editSequences,vectors/changedIndex}.test.ts",
  "tests/tools/sources/{index,members}.test.ts",
  "tests/tools/sources/{mcp/realServers,openapi/anyDocument}.test.ts",
];

const common = {
  environment: "node",
  pool: "forks" as const,
  setupFiles: ["tests/setup.ts"],
  testTimeout: 10_000,
  // One second is too short where processes are waited for.
  expect: { poll: { timeout: 8_000 } },
  hookTimeout: 60_000,
};

/** Processes take long to start on a busy machine. */
const patient = { ...common, testTimeout: 60_000, hookTimeout: 120_000 };

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
      // Files share two processes and what these have loaded: modules, the compiler, the encoder.
      project("shared", {
        ...common,
        include: [EVERYTHING],
        exclude: [...ALONE, ...LONG, ...PROCESSES, ...CAMPAIGNS, ...RELEASE_CAMPAIGNS],
        isolate: false,
      }),
      project("long", { ...patient, include: LONG, isolate: false }),
      project("alone", { ...patient, include: ALONE }),
      // They mostly wait for other processes.
      project("processes", {
        ...patient,
        include: PROCESSES,
        exclude: CAMPAIGNS,
        sequence: { groupOrder: 1 },
        maxWorkers: 3,
      }),
      project("campaigns", {
        ...longest,
        include: CAMPAIGNS,
        sequence: { groupOrder: 2 },
        maxWorkers: 3,
      }),
      project("campaigns-of-a-release", {
        ...longest,
        include: RELEASE_CAMPAIGNS,
        sequence: { groupOrder: 3 },
        maxWorkers: 3,
      }),
    ],
  },
});

function project(name: string, test: NonNullable<ProjectConfig["test"]>): ProjectConfig {
  const exclude = [...MATERIAL, ...(test.exclude ?? [])];
  return { plugins: [compiledEntries()], test: { ...test, name, exclude } };
}
