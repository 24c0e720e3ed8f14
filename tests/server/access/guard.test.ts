import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { accessOf, listenWith } from "./support.js";

const STUDIO = "https://smith.langchain.com";

/** Sends headers that `fetch` would not send. */
function ask(url: string, headers: Record<string, string>, method = "GET") {
  return new Promise<{ status: number; headers: Record<string, unknown> }>((done, failed) => {
    const sent = request(url, { method, headers }, (answer) => {
      answer.resume();
      done({ status: answer.statusCode ?? 0, headers: answer.headers });
    });
    sent.on("error", failed).end();
  });
}

describe("the Host of a request", () => {
  it.each(["localhost", "127.0.0.1", "[::1]"])("may be %s, with any port", async (host) => {
    const url = await listenWith(accessOf());
    expect((await ask(`${url}/threads/1`, { host: `${host}:99` })).status).toBe(200);
  });

  it.each(["rebound.example", "localhost.rebound.example", "127.0.0.1.nip.io", "10.0.0.1"])(
    "may not be %s, which a web page can make a browser send",
    async (host) => {
      const url = await listenWith(accessOf());
      expect((await ask(`${url}/threads/1`, { host })).status).toBe(403);
      expect((await ask(`${url}/ok`, { host })).status).toBe(403);
    },
  );

  it("may be a name in the operator's file, or a subdomain", async () => {
    const policy = { hosts: ["Agents.example.com", "*.inner.example"], authentication: "off" };
    const url = await listenWith(accessOf({ policy }));
    const statuses = ["agents.example.com:443", "a.inner.example", "inner.example"].map(
      async (host) => (await ask(`${url}/threads/1`, { host })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
  });

  it("may be any IP address if a server listens on all of them", async () => {
    const url = await listenWith(accessOf({ host: "0.0.0.0", policy: { authentication: "off" } }));
    const statuses = ["10.1.2.3:8123", "[fe80::1]:8123", "example.com"].map(
      async (host) => (await ask(`${url}/threads/1`, { host })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
  });
});

describe("the Origin of a request", () => {
  it.each(["https://evil.example", "null", "http://localhost:3000", "nonsense"])(
    "may not be %s, whatever is asked for",
    async (origin) => {
      const url = await listenWith(accessOf());
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const { status, headers } = await ask(`${url}/threads`, { origin }, method);
        expect(status).toBe(403);
        expect(headers["access-control-allow-origin"]).toBeUndefined();
      }
    },
  );

  it("may be one that the operator allows, which browsers are told", async () => {
    const url = await listenWith(accessOf({ policy: { origins: [STUDIO] } }));
    const asked = await ask(
      `${url}/threads`,
      {
        origin: STUDIO,
        "access-control-request-method": "POST",
        "access-control-request-headers": "x-api-key,content-type",
        "access-control-request-private-network": "true",
      },
      "OPTIONS",
    );
    expect(asked.status).toBe(204);
    expect(asked.headers).toMatchObject({
      "access-control-allow-origin": STUDIO,
      "access-control-allow-headers": "x-api-key,content-type",
      "access-control-allow-private-network": "true",
    });
    expect(asked.headers["access-control-allow-credentials"]).toBeUndefined();
    const answered = await ask(`${url}/threads/1`, { origin: STUDIO });
    expect(answered.headers["access-control-allow-origin"]).toBe(STUDIO);
    expect(answered.headers["access-control-expose-headers"]).toMatch(/Content-Location/);
    expect(answered.headers["vary"]).toMatch(/Origin/);
    expect((await ask(`${url}/threads/1`, { origin: `${STUDIO}.evil.example` })).status).toBe(403);
  });

  it("is allowed in the answer even if the request is refused", async () => {
    const policy = { origins: [STUDIO], authentication: "on" };
    const url = await listenWith(accessOf({ policy }));
    const { status, headers } = await ask(`${url}/threads/1`, { origin: STUDIO });
    expect(status).toBe(401);
    expect(headers["access-control-allow-origin"]).toBe(STUDIO);
  });
});

describe("the body of a request", () => {
  const LARGE = 10_000_000;

  it("is read up to the limit", async () => {
    const url = await listenWith(accessOf({ policy: { bodyBytes: 1000 } }));
    const body = "x".repeat(1000);
    const answer = await fetch(`${url}/threads`, { method: "POST", body });
    expect(await answer.json()).toMatchObject({ length: 1000 });
    expect((await fetch(`${url}/threads`, { method: "POST", body: `${body}x` })).status).toBe(413);
  });

  it("is refused because of its announced length alone", async () => {
    const url = await listenWith(accessOf());
    const { status } = await ask(`${url}/threads`, { "content-length": String(LARGE) }, "POST");
    expect(status).toBe(413);
  });

  it.each([
    ["too large", {}, 413],
    ["from somebody unknown", { authentication: "on", bodyBytes: 2 * LARGE }, 401],
  ])(
    "is read to its end if it is %s, so that a slow sender sees why",
    async (_which, policy, status) => {
      const url = new URL(await listenWith(accessOf({ policy })));
      const socket = connect(Number(url.port), url.hostname);
      const answer = new Promise<string>((done, failed) => {
        socket.on("error", failed).once("data", (text) => done(String(text)));
      });
      socket.write(
        `POST /threads HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${LARGE}\r\n\r\n`,
      );
      for (let part = 0; part < 10; part += 1) {
        await sleep(100);
        await new Promise<void>((done) => void socket.write("x".repeat(LARGE / 10), () => done()));
      }
      expect(await answer).toContain(`HTTP/1.1 ${status} `);
      // The connection is good for another request.
      socket.write(`GET /threads HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
      const next = await new Promise((done) => socket.once("data", (text) => done(String(text))));
      expect(next).toMatch(/^HTTP\/1.1 (200|401) /);
      socket.destroy();
    },
  );

  it("without an announced length is refused once it is too large", async () => {
    const url = new URL(await listenWith(accessOf()));
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    let sent = 0;
    const answer = await new Promise<string>((done, failed) => {
      const socket = connect(Number(url.port), url.hostname);
      socket.write(
        `POST /threads HTTP/1.1\r\nHost: ${url.host}\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const more = () => {
        while (sent < LARGE && socket.writable) {
          sent += 0x10000;
          if (!socket.write(chunk)) return;
        }
      };
      socket.on("drain", more).on("error", failed);
      socket.once("data", (text) => {
        done(String(text));
        socket.destroy();
      });
      more();
    });
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  });
});
