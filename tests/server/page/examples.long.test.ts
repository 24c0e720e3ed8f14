import { expect, it } from "vitest";
import type { Choices } from "../../../server/page/routes/libraryRoutes.js";
import { newHome } from "../../fakes/homes.js";
import { serveHere } from "../support.js";

it("solves every example that the page offers as it says: with the built-in rules, and each preset", async () => {
  const { url, client } = await serveHere({ home: newHome() });
  const { examples, presets, offline } = (await (
    await fetch(`${url}/console/choices`)
  ).json()) as Choices;
  const asked = Object.entries(examples).flatMap(([library, requests]) =>
    requests.flatMap((request) => presets.map((preset) => ({ library, request, preset }))),
  );
  const ends = [];
  for (const { library, request, preset } of asked) {
    const { graph, settings, name } = preset;
    const context = { ...settings, library, model: offline };
    const { thread_id } = await client.threads.create();
    const input = { request };
    const ended = await client.runs.wait(thread_id, graph, { input, context });
    const { status = "", __interrupt__ = [] } = ended as {
      status?: string;
      __interrupt__?: unknown[];
    };
    const waits = __interrupt__.length > 0;
    ends.push([request, name, waits ? "waits" : status]);
  }
  const wanted = asked.map(({ request, preset: { name } }) => {
    const isHeld = name === "Careful" && request.startsWith("Create");
    return [request, name, isHeld ? "waits" : name === "Plan only" ? "planned" : "solved"];
  });
  expect(ends.length).toBeGreaterThan(0);
  expect(ends).toEqual(wanted);
});
