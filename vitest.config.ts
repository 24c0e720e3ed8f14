import { type UserWorkspaceConfig as ProjectConfig, defineConfig } from "vitest/config";
import { COMPILED, importCompiled } from "./tests/compiled.js";

/**
 * The kind of a test is in its name; without one it shares processes with others.
 *
 * - `NAME.long.test.ts`: many cases at once, at random, of whole catalogs or kits, or in programs of their own.
 *   `npm test` leaves them out, `npm run check` runs them.
 * - `NAME.alone.test.ts`: changes something process-wide: modules, the working directory, shared threads.
 * - `NAME.processes.test.ts`: starts and stops processes, or waits for them. They run after all others, so that neither
 *   slows the other down.
 * - `NAME.alone.long.test.ts`, `NAME.processes.long.test.ts`: such a one that is long.
 * - `NAME.campaign.test.ts`: slow by nature: kills dozens of processes, loads servers, starts LangGraph's own server or a
 *   browser, runs whole experiments, or installs the package. Whoever changes what one of them covers runs it;
 *   `npm run check` leaves them out.
 * - `NAME.release.test.ts`: a campaign that few changes can break: builds an image, runs other projects' test suites,
 *   reads all of GitHub's API. Only `npm test -- --all` runs them, as before a release.
 */
const filesOf = (kind: string) => [`tests/**/*.${kind}.test.ts`];

/** Files that tests read, not tests of this project. */
const MATERIAL = ["**/node_modules/**", "tests/fixtures/**"];

const common = {
  environment: "node",
  server: { deps: { external: [new RegExp(`^${COMPILED}/`)] } },
  pool: "forks" as const,
  setupFiles: ["tests/setup.ts"],
  testTimeout: 20_000,
  // One second is too short where processes are waited for.
  expect: { poll: { timeout: 8_000 } },
  hookTimeout: 60_000,
};

/** Processes take long to start on a busy machine. */
const patient = { ...common, testTimeout: 60_000, hookTimeout: 120_000 };

/** They mostly wait for other processes. */
const waiting = { ...patient, isolate: false, sequence: { groupOrder: 1 }, maxWorkers: 4 };

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
        include: ["tests/**/*.test.ts"],
        exclude: ["tests/**/*.*.test.ts"],
        isolate: false,
      }),
      project("long", {
        ...patient,
        include: filesOf("long"),
        exclude: filesOf("*.long"),
        isolate: false,
      }),
      project("long-alone", { ...patient, include: filesOf("alone.long") }),
      project("alone", { ...patient, include: filesOf("alone") }),
      project("processes", { ...waiting, include: filesOf("processes") }),
      project("long-processes", { ...waiting, include: filesOf("processes.long") }),
      project("campaigns", {
        ...longest,
        include: filesOf("campaign"),
        sequence: { groupOrder: 2 },
        maxWorkers: 3,
      }),
      project("campaigns-of-a-release", {
        ...longest,
        include: filesOf("release"),
        sequence: { groupOrder: 3 },
        maxWorkers: 3,
      }),
    ],
  },
});

function project(name: string, test: NonNullable<ProjectConfig["test"]>): ProjectConfig {
  const exclude = [...MATERIAL, ...(test.exclude ?? [])];
  return { plugins: [importCompiled()], test: { ...test, name, exclude } };
}
