import { expect, it } from "vitest";
import { openExperience } from "../../../memory/openExperience.js";
import { inEachHome } from "../../fakes/homes.js";
import { openStore, pastCalls } from "../support.js";
import { callOf, demonstration } from "./support.js";

inEachHome("the demonstrations of a home", (newPlace) => {
  it("keeps every field, and their order, for those who open it later", async () => {
    const place = await newPlace();
    const added = [
      demonstration({ answer: "3", source: "run", level: "tool" }),
      demonstration({
        calls: [callOf("add"), { tool: "subtract", args: { deep: [{ x: null }] } }],
      }),
    ];
    const experience = openExperience(place);
    expect(await experience.demonstrations.add(added)).toEqual({ added: 2, known: 0 });
    await experience.close();
    expect(await openStore(place).demonstrations.list()).toEqual(added);
  });

  it("recognises one with the same calls for the same task, even with other results", async () => {
    const { demonstrations: store } = openStore(await newPlace());
    const again = demonstration({
      calls: [{ tool: "add", args: { b: 2, a: 1 }, result: "three" }],
      source: "generated",
      at: 1,
    });
    expect(await store.add([demonstration(), again])).toEqual({ added: 1, known: 1 });
    expect(await store.add([demonstration({ level: "tool" })])).toEqual({ added: 1, known: 0 });
    expect(await store.list()).toHaveLength(2);
  });

  it("lists those of one library, and names the libraries that have any", async () => {
    const { demonstrations: store } = openStore(await newPlace());
    await store.add([demonstration({ library: "office" }), demonstration()]);
    expect((await store.list({ library: "office" })).map(({ library }) => library)).toEqual([
      "office",
    ]);
    expect(await store.list({ library: "none" })).toEqual([]);
    expect(await store.libraries()).toEqual(["math", "office"]);
  });

  it("is apart from experience: neither counts as the other", async () => {
    const store = openStore(await newPlace());
    await store.demonstrations.add([demonstration({ library: "office" })]);
    expect(await store.libraries()).toEqual([]);
    expect(await store.stats()).toMatchObject({ usages: 0, queries: 0, tools: 0 });
    await store.add(pastCalls({ query: "add two numbers", library: "math" }));
    expect(await store.stats()).toMatchObject({ usages: 1, queries: 1 });
    expect(await store.demonstrations.libraries()).toEqual(["office"]);
  });
});
