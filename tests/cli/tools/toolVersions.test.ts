import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { openEmbeddings } from "../../../models/embeddings/embeddings.js";
import { closeWorkspaces, openWorkspace } from "../../../home/workspace.js";
import type { LibraryEditor } from "../../../tools/library/library.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { generated, note } from "../../tools/library/support.js";
import { errorLine, run, runJson, temporaryFolder } from "../support.js";

const OWN = ["--library", "own"];

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
});
afterAll(closeWorkspaces);

/** The current state; each command closes what it has opened. */
async function ownLibrary(): Promise<LibraryEditor> {
  return openWorkspace().store.open({
    name: "own",
    embeddings: await openEmbeddings(TEST_LIBRARY.embeddings),
    embeddingModel: TEST_LIBRARY.embeddings,
    create: true,
  });
}

/** A library in which a model has written `root` and then changed it. */
async function editedLibrary(): Promise<LibraryEditor> {
  const library = await ownLibrary();
  await library.put({
    tool: generated("root", { description: "Square root." }),
    basedOn: null,
    note: note("Square root of a number", { threadId: "t", callId: "c" }),
  });
  await library.put({
    tool: generated("root", { description: "Square root, also of negatives.", calls: ["power"] }),
    basedOn: 1,
    note: note("Negative numbers,\ntoo", {
      approval: { decision: "approved", at: "2026-01-01T00:00:00.000Z" },
      breaks: ["root(-1) => throws"],
    }),
  });
  return library;
}

/** Imports a file with one tool, `double`, into the library. */
async function importDouble(): Promise<string> {
  const file = join(folder, "numbers.ts");
  writeFileSync(
    file,
    "/** Double a number.\n * @param x - the number */\nexport const double = (x: number): number => 2 * x;\n",
  );
  await run("tools", "import", file, ...OWN);
  return file;
}

describe("tools history", () => {
  it("prints each version and removal, when, by whom and why, and what it breaks", async () => {
    const library = await editedLibrary();
    await library.discard({ id: "root", basedOn: 2, note: note("no longer needed") });
    const printed = await run("tools", "history", "root", ...OWN);
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    const time = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ";
    const lines = [
      `version 1  ${time}  fake:model  Square root of a number`,
      `version 2  ${time}  fake:model  Negative numbers, too`,
      ` {45}approved by a person`,
      ` {45}no longer as before: root\\(-1\\) => throws`,
      `removed    ${time}  fake:model  no longer needed`,
    ];
    expect(printed.stdout).toMatch(new RegExp(`^${lines.join("\\n")}\\n$`));
    const { json } = await runJson("tools", "history", "root", ...OWN);
    expect(json).toEqual((await ownLibrary()).history("root"));
  });
});

describe("tools history ID FIRST", () => {
  it("shows what has changed in the code and in the definition, up to the last version", async () => {
    await editedLibrary();
    const { stdout } = await run("tools", "history", "root", "1", ...OWN);
    expect(stdout).toMatch(/^--- root@1\n\+\+\+ root@2\n/);
    const changed = stdout
      .split("\n")
      .slice(2)
      .filter((line) => /^[-+]/.test(line));
    expect(changed).toEqual([
      '-  "description": "Square root.",',
      '+  "description": "Square root, also of negatives.",',
      '-  "calls": [],',
      '+  "calls": [',
      '+    "power"',
      "+  ],",
      "-/** Square root. */",
      "+/** Square root, also of negatives. */",
    ]);
    const { json } = await runJson("tools", "history", "root", "1", ...OWN);
    expect(json).toEqual({ id: "root", from: 1, to: 2, diff: stdout.trimEnd() });
  });
});

const restore = (...words: string[]) => run("tools", "history", ...words, ...OWN);

describe("tools history --restore", () => {
  it("makes an old version the newest one, with a person's note, and it is found again", async () => {
    await editedLibrary();
    expect(await restore("root", "--restore", "1", "--why", "simpler")).toEqual({
      code: 0,
      stdout: "library own: root is at version 3, as it was at version 1\n",
      stderr: "",
    });
    const [first, , third] = (await ownLibrary()).history("root");
    expect(third).toMatchObject({ version: 3, note: { by: "person", why: "simpler" } });
    expect(third?.record?.hash).toBe(first?.record?.hash);
    const { json } = await runJson("tools", "search", "square root", "-k", "1", ...OWN);
    expect(json).toMatchObject({ hits: [{ id: "root" }] });
  });

  it("brings back a deleted tool, and names the missing tools that it calls", async () => {
    const library = await editedLibrary();
    await library.discard({ id: "root", basedOn: 2, note: note("no longer needed") });
    const printed = await restore("root", "--restore", "2");
    expect(printed.stderr).toBe("root calls what the library lacks: power\n");
    const restored = (await ownLibrary()).history("root").at(-1);
    expect(restored).toMatchObject({ note: { by: "person", why: "restored from version 2" } });
    expect(restored?.record).toMatchObject({ version: 3, source: { calls: ["power"] } });
  });

  it.each([
    [["root", "--restore", "7"], /there has been no version 7\. Its versions: 1, 2$/],
    [["root", "1", "4"], /there has been no version 4\./],
    [["root", "one"], /'one' is invalid for argument 'first'/],
    [["double", "--restore", "1"], /"double" is read from .*numbers\.ts, which alone says/],
  ])("refuses %j", async (words, said) => {
    await editedLibrary();
    await importDouble();
    expect(errorLine(await restore(...words))).toMatch(said);
  });
});

describe("tools remove", () => {
  it("removes a made tool, and its history says that a person did", async () => {
    await editedLibrary();
    await importDouble();
    const { stdout } = await run("tools", "remove", "root", "double", ...OWN);
    expect(stdout).toBe("library own: 2 removed\n");
    expect((await ownLibrary()).history("root").at(-1)).toMatchObject({
      removed: true,
      note: { by: "person", why: "removed by hand" },
    });
    expect((await ownLibrary()).history("double").at(-1)?.note).toBeUndefined();
  });
});
