import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import type { Desk } from "../../fixtures/desk/tools.js";
import { freshDesk, worldOf } from "../../graphs/desk.js";
import { run, scriptIn, startChild, temporaryFolder } from "../support.js";

/** A home with the desk's library, and a command line that works there. */
async function newOffice(program: string) {
  const folder = temporaryFolder();
  const file = join(folder, "desk.json");
  writeFileSync(file, JSON.stringify(freshDesk()));
  const script = { subtasks: [], searches: [], act: [{ text: "" }], program };
  const env = {
    TULIPGRAPH_HOME: join(folder, "home"),
    DESK_FILE: file,
    ...scriptIn(folder, script),
  };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  scriptedModel(() => ({ text: program }), "child");
  await run("tools", "import", resolve("tests/fixtures/desk/tools.ts"), "--library", "desk");
  const options = ["--library", "desk", "--set", "threshold=4", "--model", "fake:child", "--json"];
  const solving = ["solve", "Tidy up", "--thread", "job", ...options];
  return {
    file,
    solve: () => run(...solving),
    solveApart: () => startChild({ argv: solving, env }),
    world: () => worldOf(JSON.parse(readFileSync(file, "utf8")) as Desk),
  };
}

it("takes back a run, one change, and refuses in one line what cannot be meant", async () => {
  const office = await newOffice(
    'await close_issue({ id: "ISS-1" });\nawait move_todo({ id: 2, due: "2026-12-24" });\nreturn `Done.`;',
  );
  const { solve, world } = office;
  await solve();
  expect(await run("undo", "nothing")).toMatchObject({ code: 2, stdout: "" });
  expect((await run("undo", "job", "--step", "9")).stderr).toMatch(
    /^error: .*no change 9.*2 changes.*\n$/,
  );
  expect((await run("undo", "job", "--run", "x")).stderr).toMatch(
    /^error: .*no run x.*Others have/,
  );
  const waiting = await run("undo", "job", "--step", "1");
  expect(waiting).toMatchObject({ code: 3, stdout: expect.stringContaining("reopen_issue") });
  expect(await run("resume", "job", "--approve")).toMatchObject({ code: 0 });
  expect(world().issues["ISS-1"]).toMatchObject({ status: "open" });
  expect((await run("undo", "job", "--step", "1")).stderr).toMatch(/already been taken back/);
  const shown = await run("threads", "job");
  expect(shown.stdout).toMatch(/change 1 +close_issue.*taken back\n[^]*change 2 +move_todo/);
  expect(await run("undo", "job", "--json")).toMatchObject({ code: 3 });
  expect(await run("resume", "job", "--approve")).toMatchObject({ code: 0 });
  expect(world()).toEqual(worldOf(freshDesk()));
  const again = await run("undo", "job");
  expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/already.*take back run/) });
});

it("asks about a write that was under way when its process was killed, and works on no running thread", async () => {
  const office = await newOffice(
    'await close_issue({ id: "ISS-1" });\nawait move_todo_slowly({ id: 2, due: "2026-12-24" });\nreturn `Done.`;',
  );
  const { file, solveApart, world } = office;
  const child = solveApart();
  while (!existsSync(`${file}.mark`)) await pause(20);
  expect(await run("undo", "job")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^error: .*job/),
  });
  child.process.kill("SIGKILL");
  await child.ended;
  // The write happens after all, as far as anybody can know.
  const desk = JSON.parse(readFileSync(file, "utf8")) as Desk;
  Object.assign(desk.todos[1] ?? {}, { due: "2026-12-24" });
  writeFileSync(file, JSON.stringify(desk));
  const waiting = await run("undo", "job");
  expect(waiting.code).toBe(3);
  expect(waiting.stdout.replaceAll(/\s+/g, " ")).toMatch(
    /move_todo\(id=2, due="2026-11-02"\).*not known whether this was done.*reopen_issue/,
  );
  expect(await run("resume", "job", "--approve")).toMatchObject({ code: 0 });
  expect(world()).toEqual(worldOf(freshDesk()));
});
