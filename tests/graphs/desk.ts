import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import type { Desk } from "../fixtures/desk/tools.js";
import { TEST_LIBRARY, importFixture } from "../fakes/testLibrary.js";

/** Settings of a run with the library of the desk. */
export const DESK = { ...TEST_LIBRARY, library: "desk", threshold: 0 };

/** The desk at the start of a test. */
export function freshDesk(): Desk {
  const owners = ["Mira", "Jonas", "Freya", "Mira"];
  return {
    issues: owners.map((owner, at) => ({
      id: `ISS-${at + 1}`,
      title: `Issue ${at + 1}`,
      status: at === 3 ? "closed" : "open",
      owner,
      updatedAt: 0,
    })),
    todos: [1, 2, 3].map((id) => ({ id, title: `Todo ${id}`, due: `2026-11-0${id}` })),
    mails: [],
    changes: 0,
  };
}

const byId = <Thing extends { id: string | number }>(things: readonly Thing[]) =>
  Object.fromEntries(things.map((thing) => [thing.id, thing]));

/** What counts of a desk, whatever the order of things and the times of their changes. */
export function worldOf({ issues, todos, mails }: Desk) {
  const untimed = issues.map((issue) => ({ ...issue, updatedAt: undefined }));
  return { issues: byId(untimed), todos: byId(todos), mails };
}

/** Has the tests of a file work at the desk. */
export function useDesk() {
  let folder: string;
  const path = () => join(folder, "desk.json");
  const put = (desk: Desk) => writeFileSync(path(), JSON.stringify(desk));
  const get = () => JSON.parse(readFileSync(path(), "utf8")) as Desk;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "desk-"));
    process.env["DESK_FILE"] = path();
    put(freshDesk());
    await importFixture({
      store: openWorkspace().store,
      settings: DESK,
      file: "tests/fixtures/desk/tools.ts",
      description: "An office and its todos",
    });
  });

  afterAll(async () => {
    await closeWorkspaces();
    rmSync(folder, { recursive: true });
    delete process.env["DESK_FILE"];
  });

  return {
    put,
    get,
    /** Somebody else changes something. */
    change: (work: (desk: Desk) => void) => {
      const desk = get();
      work(desk);
      put(desk);
    },
  };
}
