import { afterEach, describe, expect, it } from "vitest";
import { EditConflict } from "../../../common/errors.js";
import { inEachHome } from "../../fakes/homes.js";
import { generated, note, workshop } from "./support.js";

inEachHome("edits that come again", (newPlace) => {
  const shop = workshop(newPlace);
  afterEach(shop.clear);

  describe("an edit that a resumed run asks for again", () => {
    const edit = { threadId: "t", callId: "c" };

    it("returns the version that it has made and writes nothing", async () => {
      const library = await shop.openLibrary();
      const first = { tool: generated("root"), basedOn: null, note: note("first", edit) };
      const made = await library.put(first);
      const approval = { decision: "approved" as const, at: "later" };
      expect(await library.put({ ...first, note: { ...first.note, approval } })).toEqual(made);
      expect(library.history("root")).toHaveLength(1);
      expect(library.revision).toBe(1);
    });

    it.each([
      ["another call", { threadId: "t", callId: "d" }],
      ["another thread", { threadId: "u", callId: "c" }],
      ["nobody in particular", {}],
    ])("is another edit when it is of %s", async (_whose, who) => {
      const library = await shop.openLibrary();
      const first = { tool: generated("root"), basedOn: null, note: note("first", edit) };
      await library.put(first);
      await expect(library.put({ ...first, note: note("first", who) })).rejects.toThrow(
        EditConflict,
      );
    });

    it("removes a tool once", async () => {
      const library = await shop.openLibrary();
      await library.put({ tool: generated("root"), basedOn: null, note: note("first") });
      const removal = { id: "root", basedOn: 1, note: note("second", edit) };
      await library.discard(removal);
      await library.discard(removal);
      expect(library.history("root")).toHaveLength(2);
      expect(library.revision).toBe(2);
      const other = { ...removal, note: note("third", { threadId: "t", callId: "d" }) };
      await expect(library.discard(other)).rejects.toThrow("does not exist any more");
    });
  });
});
