import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { stagesOf } from "./dockerfile.js";

const ROOT = resolve(import.meta.dirname, "../..");
const DEPLOY = join(ROOT, "deploy");

describe("the image's recipe", () => {
  const [build = [], runtime = []] = stagesOf(join(DEPLOY, "Dockerfile"));
  const texts = (name: string, stage = runtime) =>
    stage.filter((each) => each.name === name).map(({ text }) => text);

  it("compiles in one stage and runs in another, which has no compiler and no development packages", () => {
    expect(texts("FROM", build)).toEqual(["node:20-bookworm-slim AS build"]);
    expect(texts("FROM")).toEqual(["node:20-bookworm-slim"]);
    expect(texts("RUN", build).join("\n")).toMatch(
      /g\+\+ libfaiss-dev[\s\S]*TULIPGRAPH_FAISS=build/,
    );
    expect(texts("RUN", build).at(-1)).toContain("npm prune");
    expect(texts("RUN").join("\n")).not.toMatch(/g\+\+|-dev|npm/);
  });

  it("runs without privileges, writes only to its volume, has a health check, and holds no secret", () => {
    expect(texts("USER")).toEqual(["node"]);
    expect(runtime.findIndex(({ name }) => name === "USER")).toBeLessThan(
      runtime.findIndex(({ name }) => name === "ENTRYPOINT"),
    );
    expect(texts("VOLUME")).toEqual(['["/var/lib/tulipgraph"]']);
    expect(texts("ENV").join()).toContain("TULIPGRAPH_HOME=/var/lib/tulipgraph");
    expect(texts("HEALTHCHECK").join()).toContain("http://127.0.0.1:8123/ok");
    expect(texts("CMD")).toEqual(['["serve", "--host", "0.0.0.0", "--port", "8123"]']);
    const all = [...build, ...runtime].map(({ text }) => text).join("\n");
    expect(all).not.toMatch(/_KEY|PASSWORD|TOKEN|SECRET/);
    const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8").split("\n");
    expect(ignored).toEqual(expect.arrayContaining([".env", "**/.env", ".git", "node_modules"]));
  });

  it("keeps the packages that a server runs with, in the versions of the lock file", () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-image-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const before = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<
      "dependencies" | "devDependencies",
      Record<string, string>
    >;
    writeFileSync(join(folder, "package.json"), JSON.stringify(before));
    execFileSync(process.execPath, [join(DEPLOY, "runtimeDependencies.mjs")], { cwd: folder });
    const after = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as typeof before;
    expect(after.devDependencies).toBeUndefined();
    expect(after.dependencies).toMatchObject(before.dependencies);
    const added = Object.keys(after.dependencies).filter((name) => !(name in before.dependencies));
    expect(added).toEqual(expect.arrayContaining(["onnxruntime-web", "@opentelemetry/resources"]));
    for (const name of added) expect(after.dependencies[name]).toBe(before.devDependencies[name]);
    expect(added).not.toContain("vitest");
  });
});

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  volumes?: string[];
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
}

describe("the compose file", () => {
  const text = readFileSync(join(DEPLOY, "compose.yaml"), "utf8");
  const { services } = parse(text, { merge: true }) as {
    services: Record<string, Service>;
  };
  const servers = ["server-1", "server-2"].flatMap((name) => services[name] ?? []);

  it("has Postgres with a volume and a health check, two servers that wait for it, and one address on loopback", () => {
    const { postgres, proxy } = services;
    expect(postgres?.volumes).toEqual(["postgres:/var/lib/postgresql/data"]);
    expect(postgres?.healthcheck?.test.join(" ")).toContain("pg_isready");
    expect(servers).toHaveLength(2);
    for (const server of servers) {
      expect(server.depends_on).toEqual({ postgres: { condition: "service_healthy" } });
      expect(server.environment?.TULIPGRAPH_DATABASE_URL).toContain("@postgres:5432/tulipgraph");
      expect(server.ports).toBeUndefined();
    }
    expect(Object.values(services).flatMap(({ ports = [] }) => ports)).toEqual([
      "127.0.0.1:8123:8123",
    ]);
    const proxied = readFileSync(join(DEPLOY, "Caddyfile"), "utf8");
    expect(proxied).toContain("reverse_proxy server-1:8123 server-2:8123");
    expect(proxy?.volumes).toEqual(["./Caddyfile:/etc/caddy/Caddyfile:ro"]);
  });
});

describe("the systemd unit", () => {
  const file = join(DEPLOY, "tulipgraph.service");
  const lines = readFileSync(file, "utf8").split("\n");

  it("runs a server with its own user and folder and keys from a file, and restarts it", () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        "DynamicUser=yes",
        "StateDirectory=tulipgraph",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "EnvironmentFile=-/etc/tulipgraph/environment",
        "Restart=always",
        "Environment=TULIPGRAPH_HOME=/var/lib/tulipgraph",
      ]),
    );
    const start = lines.find((line) => line.startsWith("ExecStart="));
    expect(start).toMatch(/bin\/tulipgraph\.mjs serve --host 127\.0\.0\.1 --port 8123$/);
    // V8 generates code at run time, which this would forbid.
    expect(lines.join("\n")).not.toContain("MemoryDenyWriteExecute");
  });

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!hasSystemd)("is understood by systemd", () => {
    // Whether Node is at that path is not checked.
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const unit = join(folder, "tulipgraph.service");
    writeFileSync(unit, lines.join("\n").replace("/usr/bin/node", process.execPath));
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});
