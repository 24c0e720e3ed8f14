import { afterAll, beforeAll } from "vitest";
import type { GraphId } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { TEST_LIBRARY, importFixture } from "../fakes/testLibrary.js";
import { program, programRun } from "./tulipRuns.js";

/** A request, the program or the calls of a model, and what it answers: an expression of the program, or words. */
export type Claim = [request: string, program: string, answer: string];

/** Settings of runs with the tools of a file in tests/fixtures/claims, which is imported for the tests of the file. */
export function useClaims(library: string) {
  const settings = { ...TEST_LIBRARY, library, threshold: 0, primingTopK: 40, topK: 40 };
  beforeAll(async () => {
    const { store } = openWorkspace();
    await importFixture({ store, settings, file: `tests/fixtures/claims/${library}.ts` });
    // The first run loads what all need.
    await answered("Hello", "", "Hello.");
  });
  afterAll(closeWorkspaces);

  /** How a run ends that claims this. */
  async function answered(request: string, code: string, answer: string) {
    const said = answer.startsWith("`") ? answer : JSON.stringify(answer);
    const run = programRun({
      request,
      settings,
      script: ({ stage }) =>
        stage === "writeProgram"
          ? program(...code.split("\n").filter(Boolean), `return ${said};`)
          : { stop: answer, solved: true },
    });
    return (await run.start()).state;
  }

  /** The same of a model that calls tools one after the other, and answers in words. */
  async function saidAfterCalls(
    request: string,
    calls: { name: string; args: object }[],
    answer: string,
    graph: GraphId = "naive_tool",
  ) {
    const script = [...calls.map((call) => ({ calls: [call] })), { stop: answer, solved: true }];
    const run = programRun({ request, settings, graph, script });
    return (await run.start()).state;
  }

  return { settings, answered, saidAfterCalls };
}
