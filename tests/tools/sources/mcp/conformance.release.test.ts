import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { programFile } from "../../../fakes/programs.js";
import { folderOfTest } from "./support.js";

/**
 * Scenarios of the official package for clients. Those left out: `auth/basic-cimd` requires a web page that identifies
 * the client; `auth/2025-03-26-oauth-metadata-backcompat` uses issuer metadata that clients must refuse by RFC 8414;
 * `sse-retry`, which passes on an idle machine, measures milliseconds; `auth/client-credentials-*` and
 * `auth/cross-app-access-*` are extensions for programs without a person.
 */
const SCENARIOS = [
  "initialize",
  "tools_call",
  "elicitation-sep1034-client-defaults",
  "auth/metadata-default",
  "auth/metadata-var1",
  "auth/metadata-var2",
  "auth/metadata-var3",
  "auth/scope-from-www-authenticate",
  "auth/scope-from-scopes-supported",
  "auth/scope-omitted-when-undefined",
  "auth/scope-step-up",
  "auth/scope-retry-limit",
  "auth/token-endpoint-auth-basic",
  "auth/token-endpoint-auth-post",
  "auth/token-endpoint-auth-none",
  "auth/pre-registration",
  "auth/2025-03-26-oauth-endpoint-fallback",
  "auth/resource-mismatch",
  "auth/offline-access-scope",
  "auth/offline-access-not-supported",
];

const SUITE = resolve("tests/fakes/conformance.mjs");

it.each(SCENARIOS)("our client passes the official scenario %s", async (scenario) => {
  const client = programFile("tests/tools/sources/mcp/conformanceClient.ts");
  const words = ["client", "--command", `${process.execPath} ${client}`, "--scenario", scenario];
  const argv = [SUITE, ...words, "-o", folderOfTest()];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (part: Buffer) => (printed += part.toString()));
  }
  const [code] = (await once(child, "close")) as [number | null];
  const faults = printed.split("\n").filter((line) => /FAILURE|WARNING/.test(line));
  expect({ code, faults }).toEqual({ code: 0, faults: [] });
});
