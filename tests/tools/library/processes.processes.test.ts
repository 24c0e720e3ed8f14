import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { toolText } from "../../../tools/library/vectors/embedding.js";
import { programFile } from "../../fakes/programs.js";
import { toldProgress } from "../../fakes/toldProgress.js";
import { withoutPackages } from "../../fakes/withoutPackages.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { tool, workshop } from "./support.js";

const shop = workshop();
afterEach(shop.clear);

const SCRIPT = programFile("tests/tools/library/libraryInChild.ts");

function startChild(...args: string[]): ChildProcess {
  return spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function finish(child: ChildProcess) {
  const output = textOf(child.stdout);
  const [code] = await once(child, "close");
  return { code, output: await output };
}

async function textOf(stream: Readable | null): Promise<string> {
  return Buffer.concat((await stream?.toArray()) ?? []).toString();
}

describe("several processes", () => {
  it("can use one library at once, from its creation on", async () => {
    const home = shop.newHome();
    const workers = ["red", "green", "blue"].map((origin) => startChild("work", home, origin, "6"));
    const ends = await Promise.all(workers.map(finish));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);

    const library = await shop.openLibrary({ home });
    expect(new Set(library.list().map(({ id }) => id))).toEqual(
      new Set(["red", "green", "blue"].flatMap((origin) => [`${origin}_always`, `${origin}_6`])),
    );
    expect(library.revision).toBe(18);
    const { results } = await library.search({ phrases: ["blue always"], topK: 1 });
    expect(results[0]?.hits[0]?.id).toBe("blue_always");
  }, 300_000);

  it("leave the library intact when they are killed in the middle of their work", async () => {
    const home = shop.newHome();
    for (const rounds of [3, 8, 15]) {
      const worker = startChild("work", home, "red", "100000");
      await untilRound(worker, rounds);
      worker.kill("SIGKILL");
      await once(worker, "close");

      const library = await shop.openLibrary({ home });
      const { results } = await library.search({ phrases: ["red always"], topK: 9 });
      expect(library.size).toBe(2);
      expect(results[0]?.hits[0]?.id).toBe("red_always");
      const found = results[0]?.hits.map(({ id }) => id);
      expect(new Set(found)).toEqual(new Set(library.list().map(({ id }) => id)));
    }
  }, 300_000);
});

describe("an index that does not fit", () => {
  it("is refused with an error that can be caught", async () => {
    // In blocks of 512 or 1024 bytes; the database and the documents fit.
    const limit = 'ulimit -f 2000; exec "$0" "$@"';
    const script = [process.execPath, SCRIPT, "save", shop.newHome()];
    const child = spawn("sh", ["-c", limit, ...script], { stdio: ["ignore", "pipe", "inherit"] });
    expect(await finish(child)).toEqual({ code: 0, output: "EFBIG" });
  });
});

describe("an interrupted change of the embedding model", () => {
  it("continues where it stopped, without embedding anything twice", async () => {
    const home = shop.newHome();
    const tools = Array.from({ length: 300 }, (_, index) => tool(`tool${index}`));
    const before = await shop.openLibrary({ home });
    await before.sync({ origin: "many.ts", fingerprint: "1", tools });
    const child = startChild("embed", home);
    await once(child, "close");
    expect(child.signalCode).toBe("SIGKILL");

    const told = toldProgress();
    const embeddings = wordEmbeddings({ dimensions: 4096 });
    const after = await shop.openLibrary({ home, embeddings, embeddingModel: "fake:other" });
    const { results } = await after.search({ phrases: ["tool299"], topK: 1 });
    expect(results[0]?.hits[0]?.id).toBe("tool299");
    const rest = tools.slice(16).map(toolText);
    expect(embeddings.calls.flat()).toEqual(["tool299", ...rest]);
    expect(told.map(({ done }) => done)).toEqual([0, 8, 16, 32, 64, 128, 256, 284, 284]);
    expect(before.size).toBe(300);
  }, 300_000);
});

describe("opening and listing a library", () => {
  it("does not load FAISS", async () => {
    const { code, output } = await finish(startChild("loaded", shop.newHome()));
    expect(code).toBe(0);
    expect(output).toContain("libsql");
    expect(output).not.toContain("faiss-node");
  }, 300_000);
});

describe("a process that cannot load FAISS", () => {
  it.each([
    [10, /^$/],
    [
      1_000,
      /^tulipgraph: vectors are compared in memory, because faiss-node cannot be loaded \(.*faiss-node.*\)\. .*\n$/,
    ],
  ])(
    "finds what it should among %i tools, and says so where that is slower",
    async (size, told) => {
      const home = shop.newHome();
      const tools = Array.from({ length: size }, (_, at) => tool(`other_${at}`));
      await (await shop.openLibrary({ home })).sync({ origin: "others", fingerprint: "1", tools });
      const child = spawn(process.execPath, [SCRIPT, "work", home, "red", "3"], {
        env: { ...process.env, ...withoutPackages("faiss-node") },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [said, [code]] = await Promise.all([textOf(child.stderr), once(child, "close")]);
      expect(code).toBe(0);
      expect(said).toMatch(told);
    },
    300_000,
  );
});

async function untilRound(worker: ChildProcess, round: number): Promise<void> {
  let seen = "";
  for await (const chunk of worker.stdout ?? []) {
    seen += String(chunk);
    if (seen.split("\n").length > round) return;
  }
}
