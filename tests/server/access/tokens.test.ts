import { SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { AUDIENCE, ISSUER, type Pair, newPair, sign, startIssuer } from "../../fakes/issuer.js";
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
      owner: `jwt:${ISSUER}:ada`,
      id: "sub:ada",
      scopes: ["run", "read"],
    });
    expect((await ask(await sign(pair, { scope: "other" }))).status).toBe(403);
  });

  const now = Math.floor(Date.now() / 1000);
  const PLAIN = { iss: ISSUER, aud: AUDIENCE, sub: "ada", exp: now + 60 };
  const UNSIGNED = "the token has no valid signature";
  const NOBODY = "no valid key or token came with the request";
  const NOT_ALLOWED = '"alg" (Algorithm) Header Parameter value not allowed';

  /** A token that is signed with a secret: the text of a key, which anybody may know. */
  const withSecret = (secret: string) =>
    new SignJWT(PLAIN)
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .sign(new TextEncoder().encode(secret));

  it.each<[string, (keys: { one: Pair; two: Pair; other: Pair }) => unknown, string, string]>([
    ["none came", () => "", NOBODY, "no key or token"],
    ["it is nonsense", () => "nonsense", NOBODY, "neither a key nor a token"],
    ["it only looks like one", () => "a.b.c", UNSIGNED, "its header cannot be read"],
    [
      "it is not signed",
      () => new UnsecuredJWT(PLAIN).encode(),
      UNSIGNED,
      `${NOT_ALLOWED} (alg none, kid undefined)`,
    ],
    [
      "it is signed with the public key as a shared secret",
      ({ one }) => withSecret(JSON.stringify(one.jwk)),
      UNSIGNED,
      `${NOT_ALLOWED} (alg HS256, kid one)`,
    ],
    [
      "it is signed with another key",
      ({ other }) => sign(other),
      UNSIGNED,
      "signature verification failed (alg ES256, kid one)",
    ],
    [
      "it names another key of the issuer than the one that signed it",
      ({ one }) => sign(one, {}, { kid: "two" }),
      UNSIGNED,
      "signature verification failed (alg ES256, kid two)",
    ],
    [
      "it names a key that the issuer does not have",
      ({ other }) => sign(other, {}, { kid: "three" }),
      UNSIGNED,
      "no applicable key found in the JSON Web Key Set (alg ES256, kid three)",
    ],
    [
      "it was changed",
      async ({ one }) => {
        const [head, , signature] = (await sign(one)).split(".");
        const claims = Buffer.from(JSON.stringify({ ...PLAIN, sub: "eve" })).toString("base64url");
        return [head, claims, signature].join(".");
      },
      UNSIGNED,
      "signature verification failed (alg ES256, kid one)",
    ],
    [
      "it has expired",
      ({ one }) => sign(one, { exp: Date.parse("2026-01-02T03:04:05Z") / 1000 }),
      "the token expired at 2026-01-02T03:04:05.000Z",
      '"exp" claim timestamp check failed (sub ada)',
    ],
    [
      "it never expires",
      ({ one }) => sign(one, { exp: undefined }),
      "the token has no expiry time",
      'missing required "exp" claim (nothing; sub ada)',
    ],
    [
      "it is not valid yet",
      ({ one }) => sign(one, { nbf: now + 3600 }),
      "the token is not valid yet",
      `"nbf" claim timestamp check failed (${now + 3600}; sub ada)`,
    ],
    [
      "it is for another audience",
      ({ one }) => sign(one, { aud: "elsewhere" }),
      "the token is for another audience",
      'unexpected "aud" claim value ("elsewhere", wanted tulipgraph; sub ada)',
    ],
    [
      "it is of another issuer",
      ({ one }) => sign(one, { iss: "https://evil.example/" }),
      "the token is from another issuer",
      `unexpected "iss" claim value ("https://evil.example/", wanted ${ISSUER}; sub ada)`,
    ],
    [
      "it names no owner",
      ({ one }) => sign(one, { sub: undefined }),
      'the token names no owner in its claim "sub"',
      'the token names no owner in its claim "sub" (sub undefined)',
    ],
    [
      "its owner is empty",
      ({ one }) => sign(one, { sub: "" }),
      'the token names no owner in its claim "sub"',
      'the token names no owner in its claim "sub" (sub )',
    ],
  ])(
    "is refused if %s: plainly to the caller, in detail in the log",
    async (_, make, told, log) => {
      const [one, two, other] = [await newPair("one"), await newPair("two"), await newPair("one")];
      const { served, jwks } = await startIssuer(one);
      served.keys.push(two.jwk);
      const ask = await serverFor(jwks);
      const answer = await ask(String(await make({ one, two, other })));
      const { message, refused } = (await answer.json()) as Record<string, string>;
      expect(answer.status).toBe(401);
      expect(message).toMatch(/^[^\n]+\. (?:Get a new token|Send a key)[^\n]+$/);
      expect(message?.split(/\. (?=[A-Z])/)[0]).toBe(told);
      expect(refused).toContain(log);
    },
  );
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
