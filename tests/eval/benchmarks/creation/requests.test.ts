import { describe, expect, it } from "vitest";
import { beginMadeTools, START_TOOLS } from "../../../../eval/benchmarks/creation/madeTools.js";
import {
  CREATION_REQUESTS,
  type CreationRequest,
  type HiddenCheck,
} from "../../../../eval/benchmarks/creation/requests.js";
import { createLibrary, openStoredLibrary } from "../../../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../../../nodes/workspace/workspace.js";
import { sameValue } from "../../../../tools/runtime/calls/jsonResult.js";
import { TEST_LIBRARY } from "../../../fakes/testLibrary.js";
import { REFERENCES } from "./references.js";

function cameOut(id: string, { args }: HiddenCheck): HiddenCheck["expects"] {
  try {
    return { kind: "value", value: REFERENCES[id]?.(...(args as never[])) };
  } catch {
    // Any error will do: a check only says that there is one.
    return { kind: "throws" };
  }
}

function wrongChecks({ id, checks }: CreationRequest): unknown[] {
  return checks.flatMap((check) => {
    const came = cameOut(id, check);
    const { expects } = check;
    const agrees =
      came.kind === "value" && expects.kind === "value"
        ? sameValue(came.value, expects.value)
        : came.kind === expects.kind;
    return agrees ? [] : [{ ...check, came }];
  });
}

describe("the requests for tools", () => {
  it("are twenty, with unique names", () => {
    expect(CREATION_REQUESTS).toHaveLength(20);
    expect(new Set(CREATION_REQUESTS.map(({ id }) => id)).size).toBe(20);
  });

  it("include two updates, two tools that call others, an impossible one and an existing one", () => {
    const kinds = CREATION_REQUESTS.map(({ wanted }) =>
      wanted.kind === "create" && wanted.calls ? "calls" : wanted.kind,
    );
    const count = (wanted: string) => kinds.filter((kind) => kind === wanted).length;
    const all = ["create", "calls", "update", "nothing", "reuse"];
    expect(all.map(count)).toEqual([14, 2, 2, 1, 1]);
  });

  it("have six to ten hidden checks, except the one that no tool can serve", () => {
    const unserved = CREATION_REQUESTS.filter(({ wanted }) => wanted.kind === "nothing");
    expect(unserved.map(({ checks }) => checks.length)).toEqual([0]);
    const counts = CREATION_REQUESTS.filter(({ wanted }) => wanted.kind !== "nothing").map(
      ({ checks }) => checks.length,
    );
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
  });

  it.each(CREATION_REQUESTS.filter(({ checks }) => checks.length > 0))(
    "have hidden checks that another implementation passes: $id",
    (request) => {
      expect(wrongChecks(request)).toEqual([]);
    },
  );
});

describe("the tools that runs start with", () => {
  it("pass their own examples", async () => {
    const context = { library: "start-tools", embeddings: TEST_LIBRARY.embeddings };
    const { store, runtime } = openWorkspace();
    await createLibrary({ store, settings: context });
    const starts = CREATION_REQUESTS.filter(({ start }) => start.length > 0);
    for (const { id: threadId, start } of starts) {
      await beginMadeTools({ threadId, start: threadId, settings: context });
      const library = await openStoredLibrary({ store, context: { ...context, threadId } });
      expect(library.list().map(({ id }) => id)).toEqual(start);
      for (const { source, ...tool } of library.list()) {
        if (source.kind !== "generated") throw new Error("no model could have written it");
        const tried = { tool: { ...tool, source }, checks: source.checks, library, threadId };
        const outcomes = await runtime.tryOut({ ...tried, timeoutMs: 60_000 });
        expect(outcomes.filter(({ passed }) => !passed)).toEqual([]);
      }
    }
    expect(new Set(starts.flatMap(({ start }) => start))).toEqual(
      new Set(Object.keys(START_TOOLS)),
    );
  });
});
