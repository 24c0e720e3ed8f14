import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { runCommand } from "../../scripts/setup/command.mjs";
import { projectRoot } from "../../scripts/setup/prepare.mjs";

/** A temporary folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-scripts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Links packages of this project into the node_modules of another root. */
export function linkPackages(root: string, names: string[]): void {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  for (const name of names) {
    symlinkSync(join(projectRoot, "node_modules", name), join(root, "node_modules", name));
  }
}

/** A root whose faiss-node is a copy without a binding; `env` is all that its commands see. */
export function faissWorkplace({ root, env }: { root: string; env: NodeJS.ProcessEnv }) {
  const names = ["bindings", "node-addon-api", "node-api-headers", "prebuild-install"];
  linkPackages(root, names);
  writeFileSync(join(root, "package.json"), "{}");
  const folder = join(root, "node_modules", "faiss-node");
  cpSync(join(projectRoot, "node_modules", "faiss-node"), folder, {
    recursive: true,
    filter: (path) => !path.endsWith("/build"),
  });
  const commands: string[] = [];
  const place = {
    root,
    env: { HOME: root, ...env },
    log: join(root, "setup.log"),
    quiet: true,
    isRoot: false,
    run: (command: Parameters<typeof runCommand>[0]) => {
      commands.push([command.command, ...command.args].join(" "));
      return runCommand(command);
    },
  };
  const binding = join(folder, "build", "Release", "faiss-node.node");
  return { place, folder, binding, commands };
}

/** An HTTP server on the loopback interface for one test; answers with what it was asked for. */
export async function loopbackServer(answer: RequestListener) {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, paths };
}

/** Shell scripts in a folder of their own, to be the whole PATH of a test. */
export function fakeCommands(root: string, scripts: Record<string, string>): string {
  const folder = join(root, "fake-bin");
  mkdirSync(folder, { recursive: true });
  for (const [name, body] of Object.entries(scripts)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}
