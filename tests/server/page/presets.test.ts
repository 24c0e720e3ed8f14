import { describe, expect, it } from "vitest";
import { ANYBODY, type Caller } from "../../../server/access/caller.js";
import { presetsFor } from "../../../server/page/routes/presets.js";
import { accessOf } from "../access/support.js";

const ADA: Caller = { owner: "ada", id: "key-ada", scopes: ["run", "read"] };

const ALL = ["Standard", "Careful", "Low cost", "Plan only"];

/** Names of the presets that somebody gets. */
async function namesFor(options: { policy?: object; caller?: Caller; library?: string }) {
  const { policy = {}, caller = ADA, library } = options;
  const { access } = accessOf({ policy: { authentication: "on", ...policy } });
  return (await presetsFor(access, caller, library)).map(({ name }) => name);
}

describe("the presets that are offered", () => {
  it("are all of them, each with a sentence of its own, if the operator restricts nothing", async () => {
    const { access } = accessOf();
    const presets = await presetsFor(access, ANYBODY);
    expect(presets.map(({ name }) => name)).toEqual(ALL);
    expect(new Set(presets.map(({ about }) => about)).size).toBe(ALL.length);
    expect(await namesFor({})).toEqual(ALL);
  });

  it.each([
    ["graphs", { graphs: ["tulip"] }, ["Standard", "Careful", "Low cost"]],
    ["another approval", { force: { approval: "writes" } }, ["Standard", "Low cost", "Plan only"]],
    ["a lower limit", { limits: { usd: 0.01 } }, ["Standard", "Careful", "Plan only"]],
    ["settings", { settings: ["library", "budget"] }, ["Standard", "Low cost"]],
    ["no graph of theirs", { graphs: ["base"] }, []],
  ])("are those that do what they say, if the operator sets %s", async (_, policy, names) => {
    expect(await namesFor({ policy })).toEqual(names);
  });

  it("leave out a budget in dollars for a model without a known price", async () => {
    const policy = { models: ["openai:unheard-of"], force: { model: "openai:unheard-of" } };
    expect(await namesFor({ policy })).toEqual(["Standard", "Careful", "Plan only"]);
  });

  it("are tried with a library that the caller sees", async () => {
    const policy = { libraries: { shared: ["orders"] } };
    expect(await namesFor({ policy, library: "orders" })).toEqual(ALL);
    expect(await namesFor({ policy, library: "math" })).toEqual([]);
  });

  it("are none for a key that may not ask", async () => {
    expect(await namesFor({ caller: { ...ADA, scopes: ["read"] } })).toEqual([]);
  });
});
