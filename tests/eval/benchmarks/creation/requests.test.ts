import { expect, it } from "vitest";
import { beginMadeTools, START_TOOLS } from "../../../../eval/benchmarks/creation/madeTools.js";
import { CREATION_REQUESTS } from "../../../../eval/benchmarks/creation/requests.js";
import { createLibrary, openStoredLibrary } from "../../../../home/libraries.js";
import { openWorkspace } from "../../../../home/workspace.js";
import { TEST_LIBRARY } from "../../../fakes/testLibrary.js";

it("are twenty requests with unique names, all but one with six to nine hidden checks", () => {
  expect(new Set(CREATION_REQUESTS.map(({ id }) => id)).size).toBe(20);
  const counts = CREATION_REQUESTS.map(({ checks }) => checks.length).toSorted((a, b) => a - b);
  expect(counts.slice(0, 2)).toEqual([0, 6]);
  expect(counts.at(-1)).toBe(9);
});

it("begin with tools that pass their own examples", async () => {
  const context = { library: "start-tools", embeddings: TEST_LIBRARY.embeddings };
  const { store, runtime } = openWorkspace();
  await createLibrary({ store, settings: context });
  const starts = CREATION_REQUESTS.filter(({ start }) => start.length > 0);
  for (const { id: threadId, start } of starts) {
    await beginMadeTools({ threadId, request: threadId, settings: context });
    const library = await openStoredLibrary({ store, context: { ...context, threadId } });
    expect(library.list().map(({ id }) => id)).toEqual(start);
    for (const { source, ...tool } of library.list()) {
      if (source.kind !== "generated") throw new Error("no model could have written it");
      const tried = { tool: { ...tool, source }, checks: source.checks, library, threadId };
      const outcomes = await runtime.tryOut({ ...tried, timeoutMs: 60_000 });
      expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
    }
  }
  expect(new Set(starts.flatMap(({ start }) => start))).toEqual(new Set(Object.keys(START_TOOLS)));
});
