import { afterAll, describe, expect, it } from "vitest";
import { createToolRuntime } from "../../../tools/runtime/runtime.js";
import { defineWorld } from "../../../tools/runtime/worlds/worlds.js";
import { temporaryFolder } from "./support.js";

interface Jar {
  start: string;
  marbles: number;
}

/** A jar that is full or empty at the start, and whose change is what came in since. */
const JAR = defineWorld<Jar>({
  name: "jar",
  create: (start = "empty") => ({ start, marbles: marblesAt(start) }),
  save: (jar) => jar,
  load: (saved) => ({ ...(saved as Jar) }),
  change: ({ start, marbles }) =>
    marbles === marblesAt(start) ? {} : { came: marbles - marblesAt(start), noted: undefined },
});

/** A world without starts or changes of its own. */
const PLAIN = defineWorld({
  name: "plain",
  create: () => ({ a: 1 }),
  save: (world) => world,
  load: (saved) => saved as { a: number },
});

function marblesAt(start: string): number {
  return start === "full" ? 10 : 0;
}

const runtime = createToolRuntime({ home: temporaryFolder(), worlds: [JAR, PLAIN] });
afterAll(() => runtime.close());
const { worlds, journal } = runtime;

describe("a world with several starts", () => {
  it("begins a run at the given start, and every other run at the usual one", async () => {
    await worlds.begin({ name: "jar", runId: "told", start: "full" });
    expect((await worlds.open({ name: "jar", runId: "told" })).world).toEqual({
      start: "full",
      marbles: 10,
    });
    expect((await worlds.open({ name: "jar", runId: "other" })).world).toMatchObject({
      marbles: 0,
    });
  });

  it("does not begin a run a second time", async () => {
    const key = { name: "jar", runId: "twice" };
    await worlds.begin({ ...key, start: "full" });
    await journal.saveWorld((await worlds.open(key)).saved({ start: "full", marbles: 7 }));
    await worlds.begin({ ...key, start: "full" });
    expect((await worlds.open(key)).world).toMatchObject({ marbles: 7 });
  });

  it("reports a run's change as JSON, which is empty if nothing has changed", async () => {
    const key = { name: "jar", runId: "changing" };
    await worlds.begin({ ...key, start: "full" });
    expect((await worlds.open(key)).change()).toEqual({});
    await journal.saveWorld((await worlds.open(key)).saved({ start: "full", marbles: 12 }));
    expect((await worlds.open(key)).change()).toStrictEqual({ came: 2 });
  });
});

describe("a world that does not report changes", () => {
  it("reports its whole state instead", async () => {
    expect((await worlds.open({ name: "plain", runId: "any" })).change()).toEqual({ a: 1 });
  });
});

it("a world that is not defined cannot begin", async () => {
  const beginning = worlds.begin({ name: "sea", runId: "any", start: "calm" });
  await expect(beginning).rejects.toThrow('unknown world "sea"; available: jar, plain');
});
