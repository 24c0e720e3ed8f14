import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  await closeWorkspaces();
});
afterAll(closeWorkspaces);

const SERVER = fileURLToPath(new URL("../../fixtures/mcp/notes.mjs", import.meta.url));
const NOTES = ["--library", "notes"];

async function importNotes(options: string[] = [], ...more: string[]) {
  const command = [process.execPath, SERVER, join(folder, "done.txt"), ...more];
  return await run("tools", "import", "mcp", "notes", ...options, "--", ...command);
}

/** The tools that the server was asked to run. */
function done(): string[] {
  const file = join(folder, "done.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

async function solve(request: string, approval: string) {
  const settings = ["--set", `approval=${approval}`, "--set", "threshold=0"];
  const options = [...NOTES, "--model", "offline:planner", ...settings];
  return await run("solve", request, ...options);
}

async function effectsOf(id: string): Promise<string> {
  const { json } = await runJson("tools", "list", id, ...NOTES);
  return (json as ToolRecord).effects;
}

/** The tools of the doctor's findings about effects. */
function findings(json: unknown): string[] {
  return (json as { findings: { check: string; tools: string[] }[] }).findings
    .filter(({ check }) => check === "effects")
    .flatMap(({ tools }) => tools);
}

describe("a server that says its tools only read", () => {
  it.each(["writes", "plan"])(
    "does not have its word taken for a call that is to be asked about (approval=%s)",
    async (approval) => {
      await importNotes();
      expect((await solve("Delete all notes", approval)).code).toBe(3);
      expect(done()).toEqual([]);
    },
  );

  it("is believed after a look, for all that it says so of, in one command", async () => {
    const { stdout } = await importNotes();
    expect(stdout).toContain("tulipgraph tools label notes --reads --library notes");
    const labelled = await run("tools", "label", "notes", "--reads", ...NOTES);
    expect(labelled.code).toBe(0);
    await run("tools", "label", "notes.delete_*", "--writes", ...NOTES);
    expect((await solve("List all notes", "plan")).code).toBe(0);
    expect(done()).toEqual(["list_notes"]);
    expect((await solve("Delete all notes", "plan")).code).toBe(3);
    expect(done()).toEqual(["list_notes"]);
  });

  it("is believed with --trust-hints, and what speaks of changing is told in a line each way", async () => {
    const { stderr } = await importNotes(["--trust-hints"]);
    expect(stderr).toMatch(/warning: notes\.delete_all_notes: .*"delete"/);
    expect(stderr).toMatch(/warning: notes\.tidy: .*"removes"/);
    expect(stderr).not.toContain("list_notes");
    expect(await effectsOf("notes.list_notes")).toBe("read");
    await run("tools", "label", "notes.tidy", "--writes", ...NOTES);
    expect(await effectsOf("notes.tidy")).toBe("write");
    await run("tools", "label", "notes.tidy", "--reads", ...NOTES);
    expect(await effectsOf("notes.tidy")).toBe("read");
  });

  it("is believed at once where it says that a tool destroys", async () => {
    await importNotes(["--trust-hints"]);
    const { json } = await runJson("tools", "list", "notes.drop", ...NOTES);
    expect(json).toMatchObject({ effects: "write", approval: true });
  });

  it("has its doubtful reads found by the doctor, until a person has looked at them", async () => {
    await importNotes();
    const told = await runJson("tools", "doctor", ...NOTES);
    expect(findings(told.json)).toEqual(["notes.delete_all_notes", "notes.tidy"]);
    await run("tools", "label", "notes.delete_all_notes", "notes.tidy", "--reads", ...NOTES);
    expect(findings((await runJson("tools", "doctor", ...NOTES)).json)).toEqual([]);
  });

  it("takes a label back when it says that the tool writes after all, once that is accepted", async () => {
    await importNotes(["--trust-hints"]);
    expect(await effectsOf("notes.delete_all_notes")).toBe("read");
    expect((await importNotes([], "honest")).stderr).toContain("1 tool withheld");
    await run("tools", "review", "notes", "--yes");
    expect(await effectsOf("notes.delete_all_notes")).toBe("write");
    expect(await effectsOf("notes.list_notes")).toBe("read");
  });

  it("keeps its flow labels and those of its effects apart", async () => {
    await importNotes();
    await run("tools", "label", "notes.list_notes", "--flow", "private", ...NOTES);
    await run("tools", "label", "notes.list_notes", "--reads", ...NOTES);
    await run("tools", "label", "notes.list_notes", "--flow", "foreign", ...NOTES);
    const { json } = await runJson("tools", "list", "notes.list_notes", ...NOTES);
    expect(json).toMatchObject({ effects: "read", flow: ["foreign"] });
  });
});

describe("tools label", () => {
  it("says in one line what is missing", async () => {
    await importNotes();
    expect(errorLine(await run("tools", "label", "notes.tidy", ...NOTES))).toContain("--reads");
    await run("tools", "label", "notes", "--reads", ...NOTES);
    expect(errorLine(await run("tools", "label", "notes", "--reads", ...NOTES))).toContain("ids");
    expect(errorLine(await run("tools", "label", "other", "--reads", ...NOTES))).toContain("other");
  });

  it.each([
    [
      "--undo",
      "put_back({ id })",
      /unknown tool in library todos "put_back"; available: .*move_todo/,
    ],
    [
      "--undo",
      "move_todo({ id, du: due })",
      /unknown parameter of move_todo "du"; available: id, due/,
    ],
    [
      "--undo",
      "move_todo({ id, due: [du] })",
      /unknown parameter of move_todo "du"; .*result, before/,
    ],
    ["--flow", "outward(du)", /unknown parameter of move_todo "du"; available: id, due/],
    [
      "--deed",
      "Moved {titel} to {due}",
      /unknown parameter of move_todo "titel"; did you mean "title"/,
    ],
  ])("refuses a name that nothing has in %s %j", async (option, text, problem) => {
    await run("tools", "import", "examples/todos.ts");
    const label = ["tools", "label", "move_todo", option];
    expect(errorLine(await run(...label, text, "--library", "todos"))).toMatch(problem);
  });

  it("gives a tool the sentence by which receipts tell of its calls, and takes it back", async () => {
    await importNotes();
    const label = (deed: string) => run("tools", "label", "notes.tidy", "--deed", deed, ...NOTES);
    const deed = async () => {
      const { json } = await runJson("tools", "list", "notes.tidy", ...NOTES);
      return (json as ToolRecord).deed;
    };
    expect((await label("Tidied {folder}")).stdout).toContain("receipts say: Tidied {folder}");
    expect(await deed()).toBe("Tidied {folder}");
    expect(errorLine(await label("x".repeat(201)))).toContain("at most 200 characters");
    await run("tools", "label", "notes.tidy", "--writes", ...NOTES);
    expect(await deed()).toBe("Tidied {folder}");
    await label("source");
    expect(await deed()).toBeUndefined();
  });
});

describe("a GET", () => {
  const responses = { 200: { description: "Done" } };
  const paths = {
    "/notes": { get: { operationId: "list_notes", summary: "List notes", responses } },
    "/notes/drop": { get: { operationId: "deleteNotes", summary: "Delete notes", responses } },
  };
  it("that is named after a change counts as a write until it is labelled", async () => {
    const servers = [{ url: "http://127.0.0.1:9" }];
    const info = { title: "Notes", version: "1" };
    const file = join(folder, "notes.json");
    writeFileSync(file, JSON.stringify({ openapi: "3.0.3", info, servers, paths }));
    const { stderr } = await run("tools", "import", "openapi", file);
    expect(stderr).toMatch(/warning: notes\.deleteNotes: .*"delete"/);
    expect(await effectsOf("notes.list_notes")).toBe("read");
    expect(await effectsOf("notes.deleteNotes")).toBe("write");
    await run("tools", "label", "notes.deleteNotes", "--reads", ...NOTES);
    expect(await effectsOf("notes.deleteNotes")).toBe("read");
  });
});
