import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { EditConflict, LibraryFailed } from "../../../common/errors.js";
import type { LibraryEditor } from "../../../tools/library/library.js";
import { inEachHome } from "../../fakes/homes.js";
import { generated, note, tool, workshop } from "./support.js";

/** The id of a tool that a file has. */
const FILED = "add";
const ids = [FILED, "root", "power"];
const versions = fc.constantFrom(null, 1, 2, 3);

const step = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    id: fc.constantFrom(...ids),
    // Undefined: the present version.
    basedOn: fc.option(versions, { nil: undefined }),
    description: fc.constantFrom("one", "two"),
  }),
  fc.record({
    kind: fc.constant("discard" as const),
    id: fc.constantFrom(...ids),
    basedOn: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("reopen" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** What a library with its history has to contain, in plain maps. */
interface Model {
  present: Map<string, { version: number; description: string }>;
  /** One word for each entry of a tool's history. */
  entries: Map<string, string[]>;
  lastVersion: Map<string, number>;
}

inEachHome("a library", (newPlace) => {
  const shop = workshop(newPlace);
  afterEach(shop.clear);

  describe("any sequence of edits", () => {
    it("makes the versions that plain maps would, refuses what is outdated, and is found as it is", async () => {
      expect.hasAssertions();
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
          const home = shop.newHome();
          let library = await shop.openLibrary({ home });
          await library.sync({ origin: "a.ts", fingerprint: "1", tools: [tool(FILED)] });
          const model: Model = { present: new Map(), entries: new Map(), lastVersion: new Map() };
          for (const each of steps) {
            if (each.kind === "reopen") library = await shop.openLibrary({ home });
            else await edit({ library, model, step: each });
            await expectSame(library, model);
          }
          await shop.clear();
        }),
        { numRuns: 30 },
      );
    });
  });
});

async function edit({
  library,
  model,
  step,
}: {
  library: LibraryEditor;
  model: Model;
  step: Exclude<Step, { kind: "reopen" }>;
}): Promise<void> {
  const { id } = step;
  const found = model.present.get(id)?.version ?? null;
  const basedOn = step.basedOn === undefined ? found : step.basedOn;
  const failure = await made({ library, step, basedOn }).catch((error: Error) => error);
  const isCurrent = basedOn === found && (step.kind === "put" || found !== null);
  const refusal = isCurrent ? undefined : EditConflict;
  expect(failure?.constructor).toBe(id === FILED ? LibraryFailed : refusal);
  if (failure) return;
  const version = model.lastVersion.get(id) ?? 0;
  const entries = model.entries.get(id) ?? [];
  if (step.kind === "discard") {
    model.present.delete(id);
    model.entries.set(id, [...entries, `-${version}`]);
  } else {
    const { description } = step;
    model.present.set(id, { version: version + 1, description });
    model.lastVersion.set(id, version + 1);
    model.entries.set(id, [...entries, `+${version + 1} ${description}`]);
  }
}

async function made({
  library,
  step,
  basedOn,
}: {
  library: LibraryEditor;
  step: Exclude<Step, { kind: "reopen" }>;
  basedOn: number | null;
}): Promise<void> {
  const { id } = step;
  const why = note(step.kind);
  // No tool has version 0: to discard what is not there is a conflict.
  if (step.kind === "discard")
    return await library.discard({ id, basedOn: basedOn ?? 0, note: why });
  const { description } = step;
  await library.put({ tool: generated(id, { description }), basedOn, note: why });
}

async function expectSame(library: LibraryEditor, model: Model): Promise<void> {
  for (const id of ids.slice(1)) {
    const stored = library.get(id);
    const kept = model.present.get(id);
    expect([stored?.version, stored?.description]).toEqual([kept?.version, kept?.description]);
    const entries = library
      .history(id)
      .map(({ version, record }) => (record ? `+${version} ${record.description}` : `-${version}`));
    expect(entries).toEqual(model.entries.get(id) ?? []);
  }
  const { results } = await library.search({ phrases: ["root one"], topK: 9 });
  const found = results[0]?.hits.map(({ id }) => id).toSorted();
  expect(found).toEqual([FILED, ...model.present.keys()].toSorted());
}
