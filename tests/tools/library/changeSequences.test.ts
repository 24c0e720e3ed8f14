import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { UnknownName } from "../../../common/errors.js";
import type { ToolLibrary } from "../../../tools/library/library.js";
import { inEachHome } from "../../fakes/homes.js";
import { tool, workshop } from "./support.js";

inEachHome("a library", (newPlace) => {
  const shop = workshop(newPlace);
  afterEach(shop.clear);

  describe("any sequence of changes", () => {
    const ids = ["add", "subtract", "multiply", "divide", "power"];
    const origins = ["a.ts", "b.ts"];
    const change = fc.oneof(
      fc.record({
        kind: fc.constant("sync" as const),
        origin: fc.constantFrom(...origins),
        tools: fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.constantFrom("one", "two")), {
          selector: ([id]) => id,
        }),
      }),
      fc.record({ kind: fc.constant("remove" as const), id: fc.constantFrom(...ids) }),
      fc.record({ kind: fc.constant("reopen" as const) }),
    );

    it("leaves exactly the tools that a plain map would hold, and a search finds exactly those", async () => {
      expect.hasAssertions();
      await fc.assert(
        fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
          const home = shop.newHome();
          let library = await shop.openLibrary({ home });
          const model = new Map<string, { origin: string; description: string }>();
          const versions = new Map<string, number>();
          for (const step of changes) {
            if (step.kind === "reopen") library = await shop.openLibrary({ home });
            else if (step.kind === "remove") await removeFromBoth({ library, model, id: step.id });
            else await syncBoth({ library, model, versions, ...step });
            await expectSame({ library, model, versions });
          }
          await shop.clear();
        }),
        { numRuns: 10 },
      );
    });
  });
});

type Model = Map<string, { origin: string; description: string }>;

async function removeFromBoth({
  library,
  model,
  id,
}: {
  library: ToolLibrary;
  model: Model;
  id: string;
}) {
  const failure = await library.remove([id]).catch((error: unknown) => error);
  expect(failure instanceof UnknownName).toBe(!model.delete(id));
}

async function syncBoth({
  library,
  model,
  versions,
  origin,
  tools,
}: {
  library: ToolLibrary;
  model: Model;
  versions: Map<string, number>;
  origin: string;
  tools: [string, string][];
}) {
  const definitions = tools.map(([id, description]) => tool(id, { description }));
  const done = await library.sync({ origin, fingerprint: "f", tools: definitions });
  const wanted = new Set(tools.map(([id]) => id));
  const gone = [...model].filter(([id, held]) => held.origin === origin && !wanted.has(id));
  for (const [id] of gone) model.delete(id);
  for (const [id, description] of tools) {
    const held = model.get(id);
    if (held && held.origin !== origin) continue;
    if (held?.description !== description) versions.set(id, (versions.get(id) ?? 0) + 1);
    model.set(id, { origin, description });
  }
  expect(new Set(done.removed)).toEqual(new Set(gone.map(([id]) => id)));
}

async function expectSame({
  library,
  model,
  versions,
}: {
  library: ToolLibrary;
  model: Model;
  versions: Map<string, number>;
}) {
  const listed = library.list().map(({ id, description, version }) => [id, description, version]);
  expect(listed).toEqual(
    [...model].map(([id, { description }]) => [id, description, versions.get(id)]),
  );
  expect(library.size).toBe(model.size);
  const { results } = await library.search({ phrases: ["add one"], topK: 100 });
  expect(new Set(results[0]?.hits.map(({ id }) => id))).toEqual(new Set(model.keys()));
}
