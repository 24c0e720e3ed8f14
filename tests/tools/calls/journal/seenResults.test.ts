import { expect, test } from "vitest";
import { typeText } from "../../../../common/schemas/typeText.js";
import type { SeenResults } from "../../../../tools/calls/journal/seenResults.js";
import { inEachHome } from "../../../fakes/homes.js";
import { journalAt } from "../../../fakes/journals.js";

async function learn(journal: SeenResults, ...results: unknown[]): Promise<void> {
  for (const result of results)
    await journal.learn({ id: "t", hash: "one", args: {}, json: JSON.stringify(result) });
}

const seenIn = async (journal: SeenResults, hash = "one") =>
  (await journal.seenResults([hash])).get(hash);

inEachHome("what tools have returned", (newPlace) => {
  test("is shared by processes, which learn from each other's calls", async () => {
    const place = await newPlace();
    const [one, other] = [journalAt(place), journalAt(place)];
    await learn(one, { id: 1, name: "secret value" });
    await learn(other, { id: 2 });
    const seen = await seenIn(one);
    expect(seen?.times).toBe(2);
    expect(typeText(seen?.type)).toBe("{ id: number; name?: string }");
    expect(JSON.stringify(seen)).not.toContain("secret value");
  });

  test("begins anew with a changed tool", async () => {
    const journal = journalAt(await newPlace());
    await learn(journal, { id: 1 });
    expect(await seenIn(journal, "two")).toBeUndefined();
  });

  test("is written down ever less often while nothing changes, and counted", async () => {
    const journal = journalAt(await newPlace());
    await learn(journal, ...Array.from({ length: 100 }, (_, id) => ({ id })));
    const seen = await seenIn(journal);
    expect(seen?.times).toBeGreaterThan(50);
    expect(seen?.times).toBeLessThanOrEqual(100);
  });

  test("tells of a drift until a result is as before", async () => {
    const journal = journalAt(await newPlace());
    const before = { id: 1, name: "a" };
    await learn(journal, before, before, before, before, { id: 1, title: "a" });
    expect((await seenIn(journal))?.drift?.changes).toEqual(["name is missing"]);
    await learn(journal, { id: 2, title: "b" });
    expect((await seenIn(journal))?.drift?.changes).toEqual(["name is missing"]);
    await learn(journal, before);
    expect((await seenIn(journal))?.drift).toBeUndefined();
  });
});
