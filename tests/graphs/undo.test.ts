import { beforeEach, describe, expect, it } from "vitest";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { DESK, freshDesk, useDesk, worldOf } from "./desk.js";
import { program, programRun, stagesOf } from "./tulipRuns.js";

const desk = useDesk();
beforeEach(() => desk.put(freshDesk()));

/** A thread whose first run has followed this program. */
async function ran(...lines: string[]) {
  const run = programRun({
    script: [program(...lines, "return `Done.`;")],
    request: "Tidy up",
    settings: DESK,
  });
  const { state } = await run.start();
  expect(state.answer).toBe("Done.");
  return run;
}

const APPROVE = { type: "approve" };
const BEFORE = worldOf(freshDesk());

function actions(waiting: unknown) {
  return (waiting as ReviewRequest).actionRequests.map(({ name, args }) => [name, args]);
}

describe("taking back what a run has changed", () => {
  it("shows the inverse of each write with its values, last first, and makes the world as it was", async () => {
    const run = await ran(
      'await close_issue({ id: "ISS-1" });',
      'await assign_issue({ id: "ISS-2", owner: "Freya" });',
      'const made = await create_issue({ title: "New" });',
      'await move_todo({ id: 2, due: "2026-12-24" });',
      "await remove_todo({ id: 3 });",
    );
    const { waiting } = await run.undo();
    expect(waiting).toMatchObject({ kind: "writes", complete: true });
    expect(actions(waiting)).toEqual([
      ["add_todo", { id: 3, title: "Todo 3", due: "2026-11-03" }],
      ["move_todo", { id: 2, due: "2026-11-02" }],
      ["delete_issue", { id: "ISS-5" }],
      ["assign_issue", { id: "ISS-2", owner: "Jonas" }],
      ["reopen_issue", { id: "ISS-1" }],
    ]);
    const { state } = await run.decideAll(APPROVE);
    expect(state.status).toBe("solved");
    expect(state.answer).toMatch(/^Taken back: Removed todo 3; .*; Closed issue ISS-1\.$/);
    expect(worldOf(desk.get())).toEqual(BEFORE);
    expect(stagesOf(run.model)).toEqual(["writeProgram"]);
  });

  it("takes several changes of one thing back in their order without a question about the later ones", async () => {
    const run = await ran(
      'await assign_issue({ id: "ISS-1", owner: "Freya" });',
      'await close_issue({ id: "ISS-1" });',
      'await assign_issue({ id: "ISS-1", owner: "Jonas" });',
    );
    const { waiting } = await run.undo();
    expect(JSON.stringify(waiting)).not.toMatch(/changed since/);
    await run.decideAll(APPROVE);
    expect(worldOf(desk.get())).toEqual(BEFORE);
  });

  it("names first what cannot be undone, and takes back the rest", async () => {
    const run = await ran(
      'await close_issue({ id: "ISS-1" });',
      'await send_mail({ to: "mira", text: "closed" });',
    );
    const { waiting } = await run.undo();
    expect(waiting).toMatchObject({
      notes: [/^Cannot be undone: .*mail.*no way back/].map((each) => expect.stringMatching(each)),
    });
    const { state } = await run.decideAll(APPROVE);
    expect(state).toMatchObject({
      status: "unsolved",
      answer: expect.stringMatching(
        /^Cannot be undone: .*mail.* Taken back: Closed issue ISS-1\.$/,
      ),
    });
    expect(worldOf(desk.get())).toEqual({ ...BEFORE, mails: ["mira: closed"] });
  });

  it("asks about what has changed since, and leaves it if a person takes it out", async () => {
    const run = await ran(
      'await assign_issue({ id: "ISS-1", owner: "Freya" });',
      "await remove_todo({ id: 3 });",
    );
    desk.change(({ issues: [first] }) => Object.assign(first ?? {}, { owner: "Boss" }));
    const { waiting } = await run.undo();
    const [, doubtful] = (waiting as ReviewRequest).actionRequests;
    expect(doubtful?.description).toMatch(/changed since: owner is "Boss", not "Freya"/);
    const { state } = await run.decide(APPROVE, { type: "reject" });
    expect(state).toMatchObject({
      status: "unsolved",
      answer: expect.stringMatching(/Left as it is: Assigned issue ISS-1.*owner is "Boss"/),
    });
    expect(desk.get().issues[0]?.owner).toBe("Boss");
    expect(desk.get().todos).toHaveLength(3);
  });

  it("overwrites it if a person approves that, but not what changes after that question", async () => {
    const run = await ran('await assign_issue({ id: "ISS-1", owner: "Freya" });');
    const to = (owner: string) =>
      desk.change(({ issues: [first] }) => Object.assign(first ?? {}, { owner }));
    to("Boss");
    await run.undo();
    to("Chief");
    const { state } = await run.decideAll(APPROVE);
    expect(state).toMatchObject({ status: "unsolved" });
    expect(state.answer).toMatch(
      /Left as it is: .*changed meanwhile: owner is "Chief", not "Boss"/,
    );
    expect(desk.get().issues[0]?.owner).toBe("Chief");
    await run.undo();
    await run.decideAll(APPROVE);
    expect(worldOf(desk.get())).toEqual(BEFORE);
  });

  it("does not touch what somebody else has changed beside it, nor what is as it was already", async () => {
    const run = await ran(
      'await assign_issue({ id: "ISS-1", owner: "Freya" });',
      'await close_issue({ id: "ISS-2" });',
    );
    desk.change(({ issues: [first, second] }) => {
      Object.assign(first ?? {}, { title: "Renamed", updatedAt: 99 });
      Object.assign(second ?? {}, { status: "open", updatedAt: 98 });
    });
    const { waiting } = await run.undo();
    expect(actions(waiting)).toEqual([["assign_issue", { id: "ISS-1", owner: "Mira" }]]);
    const { state } = await run.decideAll(APPROVE);
    expect(state.status).toBe("solved");
    expect(state.answer).toMatch(/Already as it was before: Closed issue ISS-2\./);
    expect(desk.get().issues[0]).toMatchObject({ title: "Renamed", owner: "Mira" });
  });

  it("can be taken back itself, and says when there is nothing left", async () => {
    const run = await ran('await close_issue({ id: "ISS-1" });');
    await run.undo();
    await run.decideAll(APPROVE);
    const { state: again } = await run.undo();
    expect(again).toMatchObject({ status: "unsolved" });
    expect(again.answer).toMatch(/already been taken back/);
    const [, undone] = /take back run (\S+)\.$/.exec(again.answer) ?? [];
    await run.undo({ run: undone });
    const { state } = await run.decideAll(APPROVE);
    expect(state.status).toBe("solved");
    expect(worldOf(desk.get()).issues["ISS-1"]).toMatchObject({ status: "closed" });
    await run.undo();
    await run.decideAll(APPROVE);
    expect(worldOf(desk.get())).toEqual(BEFORE);
  });

  it("takes back one write by its number", async () => {
    const run = await ran(
      'await close_issue({ id: "ISS-1" });',
      'await close_issue({ id: "ISS-2" });',
    );
    await run.undo({ step: 1 });
    await run.decideAll(APPROVE);
    expect(desk.get().issues.map(({ status }) => status)).toEqual([
      "open",
      "closed",
      "open",
      "closed",
    ]);
    const { state } = await run.undo({ step: 7 });
    expect(state.answer).toMatch(/no change 7.*3 changes/);
  });

  it("ends without a model if a person rejects all of it", async () => {
    const run = await ran('await close_issue({ id: "ISS-1" });');
    await run.undo();
    const { state } = await run.decideAll({ type: "reject", message: "keep it" });
    expect(state).toMatchObject({
      status: "unsolved",
      answer: expect.stringMatching(/^Left as it is/),
    });
    expect(desk.get().issues[0]?.status).toBe("closed");
    expect(stagesOf(run.model)).toEqual(["writeProgram"]);
  });

  it("stops at a call that fails, and goes on from there when it is asked for again", async () => {
    const run = await ran(
      'await close_issue({ id: "ISS-1" });',
      'await assign_issue({ id: "ISS-2", owner: "Freya" });',
    );
    await run.undo();
    const [second] = desk.get().issues.slice(1);
    desk.change((one) => (one.issues = one.issues.filter(({ id }) => id !== "ISS-2")));
    const { state } = await run.decideAll(APPROVE);
    expect(state.answer).toMatch(/Left as it is: .*ISS-2.*gone.*; Closed issue ISS-1/);
    desk.change((one) => second && one.issues.push(second));
    await run.undo();
    await run.decideAll(APPROVE);
    expect(worldOf(desk.get())).toEqual(BEFORE);
  });

  it("asks nobody who wants not to be asked, except about what has changed since", async () => {
    const run = programRun({
      script: [program('await close_issue({ id: "ISS-1" });', "return `Done.`;")],
      request: "Tidy up",
      settings: { ...DESK, approval: "none" },
    });
    await run.start();
    desk.change(({ issues: [first] }) => Object.assign(first ?? {}, { status: "blocked" }));
    expect((await run.undo()).waiting).toBeDefined();
    expect((await run.decideAll({ type: "reject" })).state.status).toBe("unsolved");
    desk.change(({ issues: [first] }) => Object.assign(first ?? {}, { status: "closed" }));
    expect((await run.undo()).state.status).toBe("solved");
    expect(worldOf(desk.get())).toEqual(BEFORE);
  });

  it("is asked for in words, which the model understands", async () => {
    const run = programRun({
      script: ({ stage }, at) =>
        stage === "writeProgram" && at > 0
          ? program("undo({});")
          : program('await close_issue({ id: "ISS-1" });', "return `Done.`;"),
      request: "Close ISS-1",
      settings: DESK,
    });
    await run.start();
    const { waiting } = await run.next("Nein, das war falsch, mach es rückgängig");
    expect(actions(waiting)).toEqual([["reopen_issue", { id: "ISS-1" }]]);
    await run.decideAll(APPROVE);
    expect(worldOf(desk.get())).toEqual(BEFORE);
  });
});
