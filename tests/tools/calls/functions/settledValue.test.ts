import { describe, expect, it } from "vitest";
import { settledValue } from "../../../../tools/calls/functions/settledValue.js";

async function* parts<Part>(...values: Part[]) {
  yield* values;
}

const bytes = new Uint8Array([0, 255, 1]);

describe("what a function returns", () => {
  it.each<[string, unknown, unknown]>([
    ["a response", new Response("hi"), "hi"],
    ["a response of JSON", Response.json({ a: [1] }), { a: [1] }],
    ["a response without a body", new Response(null, { status: 204 }), ""],
    ["a blob", new Blob(["hi"]), "hi"],
    ["bytes in a response", new Response(bytes), Buffer.from(bytes)],
    ["an async iterator", parts(1, 2), [1, 2]],
    ["a stream of texts", new ReadableStream({ start: (c) => (c.enqueue("a"), c.close()) }), ["a"]],
    ["a promise in an object", { a: [Promise.resolve(1)] }, { a: [1] }],
    ["a response in an object", { a: new Response("hi"), b: new Map() }, { a: "hi", b: new Map() }],
  ])("is read to its end: %s", async (_, value, read) => {
    expect(await settledValue(value)).toEqual(read);
  });

  it("fails as the service did, and as what comes later does", async () => {
    const refused = new Response("no such buoy", { status: 404 });
    await expect(settledValue(refused)).rejects.toThrow("the service answered 404: no such buoy");
    await expect(settledValue([Promise.reject(new Error("late"))])).rejects.toThrow("late");
    const used = new Response("hi");
    await used.text();
    await expect(settledValue(used)).rejects.toThrow("already read");
  });

  it("may contain itself, and is not read for ever", async () => {
    const loop: Record<string, unknown> = { a: Promise.resolve(1) };
    loop["self"] = loop;
    expect(await settledValue(loop)).toMatchObject({ a: 1 });
    const endless = (async function* () {
      while (true) yield 1;
    })();
    await expect(settledValue(endless)).rejects.toThrow("endless");
  });
});
