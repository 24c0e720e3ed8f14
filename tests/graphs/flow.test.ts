import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { Reply } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { program, programRun, stagesOf } from "./tulipRuns.js";

afterAll(closeWorkspaces);

/** Settings of runs over the work items of the simulated company. */
const WORK = {
  library: "work",
  embeddings: TEST_LIBRARY.embeddings,
  threshold: 0,
  defaultTools: [
    "get_work_item",
    "get_work_items",
    "add_comment",
    "close_work_items",
    "get_customer",
  ],
};

function workRun(script: Reply[], settings: Record<string, unknown> = {}, request = REQUEST) {
  return programRun({ script, request, settings: { ...WORK, ...settings } });
}

const REQUEST = "Note on TKT-21 what TKT-34 says";

/** Comments on a ticket with the words of another. */
const COPYING = program(
  'const item = await get_work_item({ work_id: "TKT-34" });',
  'await add_comment({ work_id: "TKT-21", text: `They say: ${item.body}` });',
  "return `Noted what ${item.id} says.`;",
);

describe("text from outside that a program would write", () => {
  it("is asked about before it is written, with the reason, and written once a person agrees", async () => {
    const run = workRun([COPYING]);
    const { state, waiting } = await run.start();
    expect(waiting).toMatchObject({
      kind: "writes",
      actionRequests: [
        { name: "add_comment", description: expect.stringContaining("get_work_item") },
      ],
    });
    expect(state.calls.map(({ tool }) => tool)).toEqual(["get_work_item"]);
    const { state: ended, waiting: more } = await run.decideAll({ type: "approve" });
    expect(more).toBeUndefined();
    expect(ended.status).toBe("solved");
    expect(ended.calls.map(({ tool }) => tool)).toEqual(["get_work_item", "add_comment"]);
    expect(stagesOf(run.model)).toEqual(["writeProgram"]);
  });

  it("counts in any form if a model said it after looking at such text", async () => {
    const run = workRun([
      program(
        'const item = await get_work_item({ work_id: "TKT-34" });',
        'const id = await look(item.body, "Which work item is meant?");',
        "await close_work_items({ work_ids: [id] });",
        "return `Closed ${id}.`;",
      ),
      { text: "ISS-1" },
    ]);
    const { waiting } = await run.start();
    expect(waiting).toMatchObject({
      actionRequests: [{ name: "close_work_items", description: expect.any(String) }],
    });
  });
});

describe("private data that a program would send out", () => {
  it("is asked about, whatever its form", async () => {
    const run = workRun([
      program(
        'const customer = await get_customer({ rev_org_id: "REV-2" });',
        'await reply_to_ticket({ ticket_id: "TKT-21", text: customer.contact_email });',
        "return `Answered with ${customer.contact_email}.`;",
      ),
    ]);
    const { waiting } = await run.start();
    expect(waiting).toMatchObject({
      actionRequests: [
        { name: "reply_to_ticket", description: expect.stringContaining("get_customer") },
      ],
    });
  });
});

describe("what a model calls by itself", () => {
  const reading: Reply = { calls: [{ name: "get_work_item", args: { work_id: "TKT-34" } }] };
  const closing: Reply = { calls: [{ name: "close_work_items", args: { work_ids: ["TKT-21"] } }] };
  const none: Reply[] = [{ text: "I go step by step." }, { text: "I go step by step." }];

  it("is asked about if it writes after text from outside was read, and not before", async () => {
    const before = workRun([...none, closing, { stop: "Done." }]);
    expect((await before.start()).waiting).toBeUndefined();
    const after = workRun([...none, reading, closing, { stop: "Done." }]);
    const { waiting, state } = await after.start();
    expect(waiting).toMatchObject({
      kind: "approval",
      actionRequests: [
        { name: "close_work_items", description: expect.stringContaining("get_work_item") },
      ],
    });
    expect(state.calls.map(({ tool }) => tool)).toEqual(["get_work_item"]);
    const { state: ended } = await after.decide({ type: "approve" });
    expect(ended.calls.map(({ tool }) => tool)).toEqual(["get_work_item", "close_work_items"]);
  });

  it("is refused with the reason if nobody can be asked, and made if no rule applies", async () => {
    const run = workRun([...none, reading, closing, { stop: "I could not.", solved: false }], {
      approval: "none",
    });
    const { waiting, state } = await run.start();
    expect(waiting).toBeUndefined();
    expect(state.calls.at(-1)).toMatchObject({
      refused: true,
      error: expect.stringContaining("nobody can be asked"),
    });
    const free = workRun([...none, reading, closing, { stop: "Done." }], { flowRules: "off" });
    expect((await free.start()).state.calls.at(-1)?.error).toBeUndefined();
  });
});

describe("a file of rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-flow-"));
  const rules = (text: string) => {
    const file = join(folder, `${crypto.randomUUID()}.json`);
    writeFileSync(file, text);
    return file;
  };

  it("can allow and refuse", async () => {
    const free = workRun([COPYING], { flowRules: rules('{ "foreign": { "write": "allow" } }') });
    expect((await free.start()).waiting).toBeUndefined();
    const strict = workRun([COPYING, { stop: "I may not.", solved: false }], {
      flowRules: rules('{ "foreign": { "write": "refuse" } }'),
    });
    const { waiting, state } = await strict.start();
    expect(waiting).toBeUndefined();
    expect(state.calls.at(-1)).toMatchObject({ tool: "add_comment", refused: true });
  });

  it.each([
    ["is not JSON", "rules"],
    ["names a label that there is not", '{ "secret": { "write": "ask" } }'],
    ["names a decision that there is not", '{ "private": { "write": "perhaps" } }'],
  ])("that %s ends the run before anything is done", async (_what, text) => {
    const run = workRun([COPYING], { flowRules: rules(text) });
    await expect(run.start()).rejects.toThrow("flowRules");
    expect(run.model.questions).toEqual([]);
  });
});

/** Hands a value on that stands in code. */
function handing(value: string): Reply {
  return program(
    "const found = await look_into();",
    `const said = await hand_on({ text: ${value} });`,
    "return `${said}, ${found}`;",
  );
}

const BOXES = { ...TEST_LIBRARY, library: "boxes", threshold: 0 };

function handOn(value: string) {
  return programRun({
    script: [handing(value), { stop: "It was not handed on.", solved: false }],
    request: "Hand on what is in the box",
    settings: BOXES,
  }).start();
}

describe("a tool that calls one that sends data out", () => {
  beforeAll(async () => {
    const file = "tests/fixtures/flow/boxes.ts";
    await importTools({
      store: openWorkspace().store,
      settings: BOXES,
      file,
      description: "Boxes",
    });
  });

  it("may not do so once private data is involved, because nobody can be asked in the middle of a call", async () => {
    const { state } = await handOn("found");
    expect(state.calls.at(-1)?.error).toContain("nobody can be asked");
    const { state: other } = await handOn('"hello"');
    expect(other.calls.at(-1)).toMatchObject({ tool: "hand_on", result: "posted hello" });
  });
});
