import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { TIMEOUT_MS } from "../../scripts/setup/faiss-prebuilt.mjs";
import { faissStep } from "../../scripts/setup/faiss.mjs";
import { fakeCommands, faissWorkplace, loopbackServer, temporaryFolder } from "./workplace.js";

/** A binding compiled once, for the tests that only need a working one. */
const compiled = { root: "", binding: "" };

beforeAll(async () => {
  compiled.root = mkdtempSync(join(tmpdir(), "tulipgraph-faiss-"));
  const env = { ...process.env, TULIPGRAPH_FAISS: "build" };
  const { place, binding } = faissWorkplace({ root: compiled.root, env });
  await faissStep.work(place);
  compiled.binding = binding;
}, 900_000);

afterAll(() => rmSync(compiled.root, { recursive: true, force: true }));

/** The folder as a makers' archive, holding `content` as its one file. */
function archiveOf(name: string, content: Buffer): Buffer {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "build", "Release"), { recursive: true });
  writeFileSync(join(folder, "build", "Release", name), content);
  return execFileSync("tar", ["-czf", "-", "-C", folder, "build"], { maxBuffer: 1e8 });
}

/** Compares bytes, because vitest's matcher takes half a minute for files of this size. */
function sameFile(one: string, other: string): boolean {
  return readFileSync(one).equals(readFileSync(other));
}

/** Answers every request with these bytes, or with "not found". */
const serving =
  (bytes?: Buffer): RequestListener =>
  (_request, response) => {
    response.statusCode = bytes ? 200 : 404;
    response.end(bytes);
  };

/** A compiler that takes no time: its output is the binding that was compiled before. */
const quickCompiler = () =>
  `while [ "$1" != "-o" ]; do shift; done; /bin/cp '${compiled.binding}' "$2"`;

const BROKEN_COMPILER = "echo 'faiss/IndexFlat.h: No such file or directory' >&2; exit 1";

async function workplaceWith({
  mirror = serving(),
  commands = {},
  env = {},
}: {
  mirror?: RequestListener;
  commands?: Record<string, string>;
  env?: NodeJS.ProcessEnv;
}) {
  const root = temporaryFolder();
  const { url, paths } = await loopbackServer(mirror);
  const workplace = faissWorkplace({
    root,
    env: {
      PATH: fakeCommands(root, commands),
      npm_config_faiss_node_binary_host_mirror: url,
      ...env,
    },
  });
  return { ...workplace, paths };
}

describe("the local build, which is tested with batches of vectors", () => {
  it.each([
    ["is not an archive", () => Buffer.from("<html>please log in</html>")],
    ["holds a damaged binding", () => archiveOf("faiss-node.node", Buffer.from("damaged"))],
    ["holds no binding", () => archiveOf("readme.txt", Buffer.from("hello"))],
  ])("follows when what the mirror serves %s", async (_what, archive) => {
    const { place, binding, folder } = await workplaceWith({
      mirror: serving(archive()),
      commands: { "g++": quickCompiler() },
    });
    await faissStep.work(place);
    expect(sameFile(binding, compiled.binding)).toBe(true);
    expect(readdirSync(join(folder, "build"))).toEqual(["Release"]);
  });

  it("follows when the mirror does not answer in time", async () => {
    const { place, binding, paths } = await workplaceWith({
      // The time is over once the mirror was asked, however long this machine takes to ask.
      mirror: () => void vi.advanceTimersByTime(TIMEOUT_MS),
      commands: { "g++": quickCompiler() },
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await faissStep.work(place);
    expect(paths).toHaveLength(1);
    expect(existsSync(binding)).toBe(true);
  });
});

describe("the prebuilt file", () => {
  it("is taken from the mirror under the makers' name, and nothing is compiled", async () => {
    const { place, binding, paths, commands, folder } = await workplaceWith({
      mirror: serving(archiveOf("faiss-node.node", readFileSync(compiled.binding))),
    });
    await faissStep.work(place);
    const platform = `${process.platform}-${process.arch}`;
    expect(paths).toEqual([
      expect.stringMatching(
        new RegExp(`^/v\\d+\\.\\d+\\.\\d+/faiss-node-v[\\d.]+-napi-v\\d+-${platform}\\.tar\\.gz$`),
      ),
    ]);
    expect(sameFile(binding, compiled.binding)).toBe(true);
    expect(commands.join("\n")).not.toContain("-lfaiss");
    expect(readdirSync(folder).filter((name) => name.startsWith(".new"))).toEqual([]);
  });
});

describe("a binding that is there", () => {
  it("stays when it works, without a request or a compiler", async () => {
    const { place, binding, paths } = await workplaceWith({});
    mkdirSync(join(binding, ".."), { recursive: true });
    writeFileSync(binding, readFileSync(compiled.binding));
    await faissStep.work(place);
    expect(paths).toEqual([]);
    expect(faissStep.isDone(place)).toBe(true);
  });

  it("is replaced when it does not work", async () => {
    const { place, binding } = await workplaceWith({ commands: { "g++": quickCompiler() } });
    mkdirSync(join(binding, ".."), { recursive: true });
    writeFileSync(binding, "of another machine");
    await faissStep.work(place);
    expect(sameFile(binding, compiled.binding)).toBe(true);
  });
});

describe("without the FAISS library", () => {
  it("tells a user who is not root what to install, in one line, and leaves nothing behind", async () => {
    const { place, folder } = await workplaceWith({
      commands: { "g++": BROKEN_COMPILER, "apt-get": "exit 0" },
    });
    await expect(faissStep.work(place)).rejects.toThrow(
      /^FAISS is not ready: no prebuilt file \(.*\); to compile it, run: sudo apt-get install libfaiss-dev$/,
    );
    expect(existsSync(join(folder, "build", "Release"))).toBe(false);
    expect(faissStep.isDone(place)).toBe(false);
  });

  it("installs it as root without asking, then compiles", async () => {
    const { place, binding } = await workplaceWith({
      commands: {
        "apt-get": `echo "$DEBIAN_FRONTEND $*" >> "$HOME/apt.txt"`,
        "g++": `if /bin/grep -q install "$HOME/apt.txt"; then ${quickCompiler()}; else ${BROKEN_COMPILER}; fi`,
      },
    });
    await faissStep.work({ ...place, isRoot: true });
    const calls = readFileSync(join(place.root, "apt.txt"), "utf8").trim().split("\n");
    expect(calls.slice(-2)).toEqual([
      expect.stringMatching(/^noninteractive .*update$/),
      expect.stringMatching(/^noninteractive .*install -y --no-install-recommends libfaiss-dev$/),
    ]);
    expect(existsSync(binding)).toBe(true);
  });
});

it("a way to get FAISS that is none is refused with those that there are", async () => {
  const { place } = await workplaceWith({ env: { TULIPGRAPH_FAISS: "download" } });
  await expect(faissStep.work(place)).rejects.toThrow(
    'TULIPGRAPH_FAISS: "download" is not a way to get FAISS; use prebuilt or build',
  );
});
