import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { AUDIENCE, ISSUER, newPair, sign, startIssuer } from "../../fakes/issuer.js";
import { accessOf, listenWith } from "./support.js";

async function serverFor(jwks: string, settings: object = {}) {
  const jwt = { jwks, issuer: ISSUER, audience: AUDIENCE, ...settings };
  const url = `${await listenWith(accessOf({ policy: { jwt } }))}/threads/1`;
  return (token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } });
}

describe("a token", () => {
  it("says who its owner is and what it may do", async () => {
    const pair = await newPair("one");
    const ask = await serverFor((await startIssuer(pair)).jwks);
    const answer = await ask(await sign(pair));
    expect(await answer.json()).toMatchObject({
      owner: "ada",
      id: "sub:ada",
      scopes: ["run", "read"],
    });
    expect((await ask(await sign(pair, { scope: "other" }))).status).toBe(403);
  });

  it("is refused if it is another issuer's, expired, for another audience, without expiry, or not signed", async () => {
    const [pair, other] = [await newPair("one"), await newPair("one")];
    const now = Math.floor(Date.now() / 1000);
    const ask = await serverFor((await startIssuer(pair)).jwks);
    const secret = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
    const good = await sign(pair);
    const [head = "", , signature = ""] = good.split(".");
    const forged = Buffer.from(JSON.stringify({ sub: "eve", iss: ISSUER, aud: AUDIENCE }));
    const wrong = {
      "another's signature": await sign(other),
      expired: await sign(pair, { exp: now - 3600 }),
      "not valid yet": await sign(pair, { nbf: now + 3600 }),
      "for another audience": await sign(pair, { aud: "elsewhere" }),
      "of another issuer": await sign(pair, { iss: "https://evil.example/" }),
      "for ever": await sign(pair, { exp: undefined }),
      "without an owner": await sign(pair, { sub: undefined }),
      "with an empty owner": await sign(pair, { sub: "" }),
      unsigned: new UnsecuredJWT({
        iss: ISSUER,
        aud: AUDIENCE,
        sub: "ada",
        exp: now + 60,
      }).encode(),
      "signed with a shared secret": await new SignJWT({ sub: "ada", exp: now + 60 })
        .setProtectedHeader({ alg: "HS256", kid: "one" })
        .setIssuer(ISSUER)
        .setAudience(AUDIENCE)
        .sign(secret),
      changed: `${head}.${forged.toString("base64url")}.${signature}`,
      nonsense: "a.b.c",
    };
    for (const [what, token] of Object.entries(wrong)) {
      const { status } = await ask(token);
      expect({ what, status }).toEqual({ what, status: 401 });
    }
  });

  it("that is refused is told plainly what is wrong with it, and the log in detail", async () => {
    const [pair, other] = [await newPair("one"), await newPair("one")];
    const ask = await serverFor((await startIssuer(pair)).jwks);
    const told = async (token: string) => (await ask(token)).json();
    const exp = Math.floor(Date.parse("2026-01-02T03:04:05Z") / 1000);
    expect(await told(await sign(pair, { exp }))).toEqual({
      message: "the token expired at 2026-01-02T03:04:05.000Z. Get a new token from its issuer",
      refused: '"exp" claim timestamp check failed (sub ada)',
    });
    expect(await told(await sign(pair, { aud: "elsewhere" }))).toEqual({
      message: "the token is for another audience. Get a new token from its issuer",
      refused: 'unexpected "aud" claim value ("elsewhere", wanted tulipgraph; sub ada)',
    });
    expect(await told(await sign(pair, { iss: "https://evil.example/" }))).toMatchObject({
      message: expect.stringMatching(/^the token is of another issuer/),
      refused: expect.stringContaining(`wanted ${ISSUER}`),
    });
    expect(await told(await sign(pair, { exp: undefined }))).toMatchObject({
      message: expect.stringMatching(/^the token says no time at which it expires/),
    });
    expect(await told(await sign(other))).toMatchObject({
      message: expect.stringMatching(/^the token has no valid signature of its issuer/),
      refused: "signature verification failed",
    });
  });
});

describe("the issuer's keys", () => {
  it("are fetched again when one is new, and no longer accepted when withdrawn", async () => {
    const [old, young] = [await newPair("one"), await newPair("two")];
    const { served, jwks } = await startIssuer(old);
    const ask = await serverFor(jwks);
    expect((await ask(await sign(old))).status).toBe(200);
    served.keys = [young.jwk];
    const token = await sign(young, {}, { kid: "two" });
    const status = async () => (await ask(token)).status;
    await expect.poll(status, { timeout: 10_000, interval: 200 }).toBe(200);
    expect((await ask(await sign(old))).status).toBe(401);
  });

  it("that cannot be fetched are not the token's fault", async () => {
    const pair = await newPair("one");
    const { served, jwks } = await startIssuer(pair);
    served.isDown = true;
    const ask = await serverFor(jwks);
    const answer = await ask(await sign(pair));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBeTruthy();
    served.isDown = false;
    expect((await ask(await sign(pair))).status).toBe(200);
    served.isDown = true;
    expect((await ask(await sign(pair))).status).toBe(200);
  });
});
