import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GraphId } from "../../graphs/index.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { type Deeds, receiptText } from "../../state/deeds.js";
import type { Question, Reply } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importFixture } from "../fakes/testLibrary.js";
import { program, programRun } from "./tulipRuns.js";

const PARCELS = { ...TEST_LIBRARY, library: "parcels", threshold: 0 };

beforeAll(async () => {
  await importFixture({
    store: openWorkspace().store,
    settings: PARCELS,
    file: "tests/fixtures/receipts/tools.ts",
    description: "Parcels",
  });
});
afterAll(closeWorkspaces);

describe("an answer that says what the calls of its run did not do", () => {
  it.each<[string, string[], string, RegExp]>([
    [
      "Archive PX-10 and PX-11",
      ['await archive_parcel({ id: "PX-10" });'],
      "PX-10 and PX-11 are archived.",
      /No call has changed anything for PX-11/,
    ],
    [
      "Archive PX-10 and tell ines@example.com about it",
      ['await archive_parcel({ id: "PX-10" });'],
      "PX-10 is archived, and ines@example.com knows about it.",
      /ines@example.com/,
    ],
    [
      "Archive the stored parcels PX-10 and PX-11",
      ['await list_parcels({ state: "stored" });', 'await archive_parcel({ id: "PX-10" });'],
      "PX-10 and PX-11 are archived.",
      /PX-11/,
    ],
    [
      "Remove the labels of PX-10, PX-11 and PX-12",
      ['await remove_labels({ ids: ["PX-10", "PX-11", "PX-12"] });'],
      "The labels of PX-10, PX-11 and PX-12 are gone.",
      /skipped/,
    ],
    [
      "Pay invoice F-7, 90 euros",
      ['await pay_invoice({ invoice: "F-7", amount: 90 });'],
      "Invoice F-7 was paid: 90 euros.",
      /partially_paid/,
    ],
    [
      "Reserve the van Blue for 2026-12-24",
      ['await reserve_van({ van: "Blue", day: "2026-12-24" });'],
      "The van Blue is yours on 2026-12-24.",
      /waiting list/,
    ],
    [
      "Archiviere PX-10 bitte",
      ['const all = await list_parcels({ state: "all" });'],
      "PX-10 wurde archiviert.",
      /Nothing was changed/,
    ],
    [
      "Archive PX-10",
      ['const all = await list_parcels({ state: "all" });'],
      "✅ PX-10",
      /Nothing was changed/,
    ],
    [
      "Archive all parcels of Tomas Reed that were sent",
      [
        'const all = await list_parcels({ state: "sent" });',
        'for (const p of all.filter((each) => each.to === "Tomas Reed")) await archive_parcel({ id: p.id });',
      ],
      "The parcels of Tomas Reed are in the archive.",
      /Nothing was changed/,
    ],
    [
      "Has any customer in York a debt above 50?",
      ['const c = await find_customers({ town: "York" });'],
      "No customer in York has.",
      /2 of 61/,
    ],
    [
      "How many pallets have north and closed?",
      [
        'const n = await get_stock({ warehouse: "north" });',
        'try { await get_stock({ warehouse: "closed" }); } catch {}',
      ],
      "north has 1240 pallets and closed has 1240.",
      /warehouse service is down/,
    ],
  ])("is not solved: %s → %s", async (request, calls, claim, why) => {
    const { state } = await solve({ request, calls, answer: claim });
    expect(state.status).toBe("unsolved");
    expect(state.answer).toMatch(why);
  });
});

describe("a true answer stays as it is", () => {
  it.each<[string, string[], string]>([
    ["Archive PX-10", ['await archive_parcel({ id: "PX-10" });'], "PX-10 is archived."],
    [
      "Archive PX-10 and PX-11",
      ['await archive_parcel({ id: "PX-10" });'],
      "PX-10 is archived. PX-11 was already in the archive.",
    ],
    [
      "Archive all parcels of Tomas Reed that were sent",
      [
        'const all = await list_parcels({ state: "sent" });',
        'for (const p of all.filter((each) => each.to === "Tomas Reed")) await archive_parcel({ id: p.id });',
      ],
      "There are no such parcels, so nothing was archived.",
    ],
    [
      "Remove the labels of PX-10 and PX-11",
      ['await remove_labels({ ids: ["PX-10", "PX-11"] });'],
      "PX-10 has no label any more. PX-11 still has one: it is sealed.",
    ],
    [
      "Pay invoice F-7, 90 euros",
      ['await pay_invoice({ invoice: "F-7", amount: 90 });'],
      "Only 30 of the 90 euros were paid.",
    ],
    ["Add a task: call Ines", ['await add_task({ title: "call Ines" });'], "I added the task."],
    [
      "Which customers are in Nowhere?",
      ['const c = await find_customers({ town: "Nowhere" });', "const n = c.rows.length;"],
      "There are none in Nowhere.",
    ],
  ])("%s → %s", async (request, calls, answer) => {
    const { state } = await solve({ request, calls, answer });
    expect(state).toMatchObject({ status: "solved", answer });
  });

  it.each([
    ["How many more pallets has north than south?", "North has 922 pallets more than south."],
    ["How many pallets are there in north and south?", "Together they have 1,558 pallets."],
    ["How long is north in feet?", "It is 57.4 feet long."],
  ])("where it is arithmetic on results: %s", async (request, answer) => {
    const { state } = await solve({
      graph: "naive_tool",
      request,
      acts: ["north", "south"].map((warehouse) => ({ name: "getStock", args: { warehouse } })),
      answer,
    });
    expect(state).toMatchObject({ status: "solved", answer });
  });
});

describe("the receipt of a run", () => {
  it("has each write with its call, one sentence, and what its result says of itself", async () => {
    const { state } = await solve({
      request: "Archive PX-10, pay invoice F-7 with 90 euros and invoice F-8 with 20",
      calls: [
        'await archive_parcel({ id: "PX-10" });',
        'await pay_invoice({ invoice: "F-7", amount: 90 });',
        'await pay_invoice({ invoice: "F-8", amount: 20 });',
      ],
      answer: "PX-10 is archived, F-8 is paid with 20, and F-7 only in part.",
    });
    expect(state.deeds).toMatchObject({
      made: [
        { place: "0", tool: "archiveParcel", args: { id: "PX-10" }, says: "Archived parcel PX-10" },
        { but: expect.stringMatching(/partially_paid/) },
        { says: "Paid 20 of invoice F-8" },
      ],
      failed: [],
      couldWrite: true,
    });
    const ids = state.deeds?.made.map(({ id }) => id);
    expect(ids).toEqual(state.calls.map(({ id }) => id));
    expect(receiptText(state.deeds as Deeds).join("\n")).toMatch(
      /archived parcel PX-10 · .*made, but .*\nNothing else was changed/,
    );
  });

  it("says that nothing was changed where something could have been", async () => {
    const { state } = await solve({
      request: "Which parcels are stored?",
      calls: ['const all = await list_parcels({ state: "stored" });'],
      answer: "PX-10 and PX-11 are stored.",
    });
    expect(state.status).toBe("solved");
    expect(receiptText(state.deeds as Deeds)[0]).toBe("Nothing was changed.");
    expect(state.deeds?.read).toMatchObject({ calls: 1, failed: 0 });
    expect(state.messages.at(-1)?.additional_kwargs["receipt"]).toContain("Nothing was changed.");
  });
});

describe("a second look at the answer", () => {
  const claim = {
    request: "Archive PX-10",
    calls: ['await archive_parcel({ id: "PX-10" });'],
    answer: "PX-10 is archived. Ines was told.",
  };

  it("costs no call unless it is asked for", async () => {
    const { asked } = await solve(claim);
    expect(asked).toEqual(["writeProgram"]);
  });

  it("sees request, receipt and answer alone, and removes what does not follow", async () => {
    const { state, asked, questions } = await solve({
      ...claim,
      settings: { reflect: "writes" },
      look: { wrong: [{ says: "Ines was told.", instead: "" }], open: [] },
    });
    expect(asked).toEqual(["writeProgram", "reflectOnAnswer"]);
    expect(state).toMatchObject({ status: "solved", answer: "PX-10 is archived." });
    const told =
      questions
        .at(-1)
        ?.messages.map(({ text }) => text)
        .join("\n") ?? "";
    expect(told).toContain("archived parcel PX-10");
    // Four characters make a token.
    expect(told.length).toBeLessThan(2400);
  });

  it("leaves the run unsolved, with the reason, if something is open", async () => {
    const { state } = await solve({
      ...claim,
      request: "Archive PX-10 and tell Ines",
      answer: "PX-10 is archived.",
      settings: { reflect: "always" },
      look: { wrong: [], open: ["tell Ines"] },
    });
    expect(state.status).toBe("unsolved");
    expect(state.answer).toMatch(/Not done: “tell Ines”/);
  });

  it("takes no notice of words that are no part of the request or the answer", async () => {
    const { state } = await solve({
      ...claim,
      settings: { reflect: "always" },
      look: {
        wrong: [{ says: "The receipt contradicts nothing.", instead: "" }],
        open: "No statement needs to be changed.",
      },
    });
    expect(state).toMatchObject({ status: "solved", answer: claim.answer });
  });

  it("costs no call where rules find the answer wrong", async () => {
    const { state, asked } = await solve({
      ...claim,
      request: "Archive PX-10 and PX-11",
      answer: "PX-10 and PX-11 are archived.",
      settings: { reflect: "always" },
    });
    expect(state.status).toBe("unsolved");
    expect(asked).not.toContain("reflectOnAnswer");
  });

  it("looks at no answer about what was only read, unless always", async () => {
    const { asked } = await solve({
      request: "Which parcels are stored?",
      calls: ['const all = await list_parcels({ state: "stored" });'],
      answer: "PX-10 and PX-11 are stored.",
      settings: { reflect: "writes" },
    });
    expect(asked).not.toContain("reflectOnAnswer");
  });
});

/** A run with a model that makes these calls and gives this answer, however often it is asked for one. */
async function solve(options: {
  request: string;
  answer: string;
  calls?: string[];
  acts?: { name: string; args: object }[];
  graph?: GraphId;
  settings?: Record<string, unknown>;
  look?: object;
}) {
  const { request, answer, calls = [], acts = [], graph = "tulip", settings, look } = options;
  const script = (question: Question): Reply => {
    if (question.stage === "reflectOnAnswer")
      return { text: JSON.stringify(look ?? { wrong: [], open: "" }) };
    if (question.stage === "writeProgram")
      return program(...calls, `return ${JSON.stringify(answer)};`);
    if (question.stage === "aggregate")
      return { text: JSON.stringify({ result: answer, solved: true }) };
    const due = question.stage === "act" ? acts[question.input.observations.length] : undefined;
    return due ? { calls: [due] } : { stop: answer };
  };
  const run = programRun({ script, request, graph, settings: { ...PARCELS, ...settings } });
  const { state } = await run.start();
  const { questions } = run.model;
  return { state, questions, asked: questions.map(({ stage }) => stage) };
}
