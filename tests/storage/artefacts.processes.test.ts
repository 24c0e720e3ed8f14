import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Artefacts } from "../../storage/artefacts/artefacts.js";
import { StorageFailed } from "../../storage/sqlite/sqlite.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { programFile } from "../fakes/programs.js";
import { startPostgres } from "../postgresServer.js";
import { openNotes } from "./notes.js";

function open(place: { folder?: string; url: string }): Artefacts {
  const notes = openNotes({ folder: newHome(), ...place });
  onTestFinished(() => notes.close());
  return notes;
}

const add = async (notes: Artefacts, text: string, name = "notes") =>
  await notes.write([name], (databaseOf) =>
    databaseOf(name).prepare("INSERT INTO notes (text) VALUES (?)").run(text),
  );

/** Moves all notes from one artefact to another. */
const move = async (notes: Artefacts, from: string, to: string) =>
  await notes.write([from, to], (databaseOf) => {
    const all = databaseOf(from).prepare("SELECT text FROM notes").pluck().all();
    databaseOf(from).exec("DELETE FROM notes");
    const insert = databaseOf(to).prepare("INSERT INTO notes (text) VALUES (?)");
    for (const each of all) insert.run(each);
  });

async function texts(notes: Artefacts, name = "notes"): Promise<unknown[] | undefined> {
  notes.refresh();
  const database = await notes.newest(name);
  return database?.prepare("SELECT text FROM notes ORDER BY number").pluck().all();
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text).finally(() => client.end());
  return rows as Record<string, unknown>[];
}

const PARTS = "SELECT hash FROM tulipgraph_notes.parts";

describe.skipIf(!hasPostgres)("artefacts", () => {
  it("whose newest revision is not whole in the database are named, and not looked for without end", async () => {
    const url = await newDatabase();
    await add(open({ url }), "first");
    await query(url, "DELETE FROM tulipgraph_notes.parts");
    await expect(texts(open({ url }))).rejects.toThrow(/revision of notes is not whole.*Restore/);
  });

  it("are read from any folder as they were published, by name", async () => {
    const url = await newDatabase();
    const [here, there] = [open({ url }), open({ url })];
    expect(await texts(there)).toBeUndefined();
    await add(here, "first");
    await add(there, "second");
    await add(there, "apart", "others");
    expect(await texts(here)).toEqual(["first", "second"]);
    expect(await texts(here, "others")).toEqual(["apart"]);
    expect(await here.names()).toEqual(["notes", "others"]);
    await here.remove(["notes"]);
    expect(await texts(there)).toBeUndefined();
    await add(there, "again");
    expect(await texts(here)).toEqual(["again"]);
  });

  it("stay as they are when a change fails, or changes nothing", async () => {
    const url = await newDatabase();
    const notes = open({ url });
    await add(notes, "kept");
    const failing = notes.write(["notes", "others"], (databaseOf) => {
      databaseOf("others").exec("INSERT INTO notes (text) VALUES ('half')");
      databaseOf("notes").exec("DELETE FROM notes");
      throw new Error("broken off");
    });
    await expect(failing).rejects.toThrow("broken off");
    await notes.write(["notes"], (databaseOf) => databaseOf("notes").exec("SELECT 1"));
    expect(await texts(notes)).toEqual(["kept"]);
    expect(await notes.names()).toEqual(["notes"]);
    expect(await query(url, "SELECT revision FROM tulipgraph_notes.artefacts")).toEqual([
      { revision: "1" },
    ]);
  });

  it("are changed together or not at all", async () => {
    const url = await newDatabase();
    const [here, there] = [open({ url }), open({ url })];
    await add(here, "one", "a");
    await add(here, "two", "b");
    await Promise.all([move(here, "a", "b"), move(there, "b", "a"), move(here, "b", "a")]);
    const all = [await texts(here, "a"), await texts(here, "b")].flat();
    expect(all.map(String).toSorted()).toEqual(["one", "two"]);
  });

  it("send and fetch only the parts that a change has touched, and keep three revisions", async () => {
    const url = await newDatabase();
    const folders = [newHome(), newHome()];
    const [here, there] = folders.map((folder) => open({ url, folder }));
    if (!here || !there) throw new Error("there are two");
    await here.write(["notes"], (databaseOf) => {
      const insert = databaseOf("notes").prepare("INSERT INTO notes (text, bytes) VALUES (?, ?)");
      for (let at = 0; at < 40; at += 1) insert.run(`${at}`, randomBytes(64 * 1024));
    });
    expect(await texts(there)).toHaveLength(40);
    const before = await query(url, PARTS);
    expect(before.length).toBeGreaterThan(39);
    for (let at = 0; at < 5; at += 1) await add(here, `more ${at}`);
    const after = await query(url, PARTS);
    expect(after.length - before.length).toBeLessThan(8);
    expect(await texts(there)).toHaveLength(45);
    const revisions = await query(
      url,
      "SELECT revision FROM tulipgraph_notes.revisions ORDER BY 1",
    );
    expect(revisions.map(({ revision }) => Number(revision))).toEqual([4, 5, 6]);
    for (const folder of folders) {
      expect(readdirSync(join(folder, "notes-1", "1")).length).toBeLessThanOrEqual(3);
    }
  });

  it("are brought to the tables that this version knows, and refused if a newer one has written them", async () => {
    const url = await newDatabase();
    const notes = open({ url });
    await add(notes, "kept");
    await query(url, "UPDATE tulipgraph.versions SET version = 99");
    const late = open({ url });
    await expect(late.newest("notes")).rejects.toThrow(/newer version/);
    await expect(add(late, "other")).rejects.toThrow(/newer version/);
  });

  it("are changed once although connections break at any moment", async () => {
    const url = await newDatabase();
    const notes = open({ url });
    await add(notes, "first");
    const over = new AbortController();
    const breaking = (async () => {
      while (!over.signal.aborted) {
        await query(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
        );
        await sleep(40);
      }
    })();
    const kept = ["first"];
    for (let count = 0; count < 15; count += 1) {
      const isWritten = await add(notes, `${count}`).then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(StorageFailed);
          return false;
        },
      );
      if (isWritten) kept.push(`${count}`);
    }
    over.abort();
    await breaking;
    expect(await texts(open({ url }))).toEqual(kept);
  });
});

function startWriter(place: { folder: string; url: string }, name: string, command = "") {
  const script = programFile("tests/storage/artefactInChild.ts");
  const child = fork(script, [place.folder, place.url, name, command], { stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

describe.skipIf(!hasPostgres)("a process that is killed", () => {
  it("during a publication leaves the old revision whole", async () => {
    const url = await newDatabase();
    const child = startWriter({ folder: newHome(), url }, "x", "sent");
    await ended(child);
    expect(child.signalCode).toBe("SIGKILL");
    const notes = open({ url });
    expect(await texts(notes)).toEqual(["x 0 a", "x 0 b"]);
    await add(notes, "next");
    expect(await texts(open({ url }))).toEqual(["x 0 a", "x 0 b", "next"]);
  });

  it("at any moment, beside other writers, loses nothing that it has told of, and leaves no half of a change", async () => {
    const url = await newDatabase();
    const folders = [newHome(), newHome()];
    const told = new Map<string, number>();
    for (const round of [1, 2]) {
      // Two of them share a folder.
      const children = [...folders, folders[0] ?? ""].map((folder, at) => {
        const name = `${round}.${at}`;
        const child = startWriter({ folder, url }, name);
        child.on("message", (count: number) => told.set(name, count));
        return child;
      });
      for (const child of children) {
        await Promise.race([once(child, "message"), once(child, "exit")]);
        await sleep(Math.random() * 150);
        child.kill("SIGKILL");
        await ended(child);
      }
    }
    const kept = (await texts(open({ url }))) ?? [];
    expect(told.size).toBe(6);
    for (const [name, count] of told) {
      const own = kept.filter((text) => String(text).startsWith(`${name} `));
      expect(own.length).toBeGreaterThanOrEqual(2 * count);
      expect(own.length % 2).toBe(0);
    }
    for (const folder of folders) expect(await texts(open({ folder, url }))).toEqual(kept);
  });
});

it.skipIf(!hasPostgres)(
  "a database that is away leaves what was read last, and a change waits for it",
  async () => {
    const server = await startPostgres();
    if (!server) return;
    onTestFinished(() => server.stop());
    const notes = open({ url: server.url });
    await add(notes, "a");
    const stopped = once(server.process, "exit");
    server.process.kill("SIGKILL");
    await stopped;
    expect(await texts(notes)).toEqual(["a"]);
    const writing = add(notes, "b");
    await server.restart();
    await writing;
    expect(await texts(notes)).toEqual(["a", "b"]);
  },
);
