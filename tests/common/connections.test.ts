import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { connectionHint, reasonOf } from "../../common/connections.js";
import { modelFailure } from "../../models/chat/failures.js";

afterEach(() => void vi.unstubAllEnvs());

/** What a request ends with. */
async function failureAt(url: string): Promise<unknown> {
  return await fetch(url).catch((error: unknown) => error);
}

async function plainServer() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => await promisify(server.close.bind(server))();
  return { url: `http://127.0.0.1:${port}/`, close };
}

const untrusted = new TypeError("fetch failed", {
  cause: Object.assign(new Error("self-signed certificate"), { code: "SELF_SIGNED_CERT_IN_CHAIN" }),
});

describe("a failed connection", () => {
  it("to a server that speaks no TLS is told as such", async () => {
    const { url, close } = await plainServer();
    onTestFinished(close);
    const error = await failureAt(url.replace("http:", "https:"));
    expect(reasonOf(error)).toMatch(/^(?:ERR_SSL|EPROTO)/);
    expect(connectionHint(error)).toContain("http://");
  });

  it("for a certificate of one's own authority names the variable for it", () => {
    expect(String(modelFailure({ spec: "openai:any", error: untrusted }))).toMatch(
      /cannot be reached \(SELF_SIGNED_CERT_IN_CHAIN\)\. Its certificate .*NODE_EXTRA_CA_CERTS/,
    );
  });

  it("beside a proxy that Node does not follow says how it would", async () => {
    const { url, close } = await plainServer();
    await close();
    const error = await failureAt(url);
    expect(reasonOf(error)).toBe("ECONNREFUSED");
    vi.stubEnv("HTTPS_PROXY", "http://proxy.example:3128");
    expect(connectionHint(error)).toMatch(/^HTTPS_PROXY is set.*NODE_USE_ENV_PROXY=1$/);
    expect(connectionHint(new Error("of another kind"))).toBeUndefined();
    vi.stubEnv("NODE_USE_ENV_PROXY", "1");
    expect(connectionHint(error)).toBeUndefined();
  });
});
