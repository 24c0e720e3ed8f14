import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type JWTPayload, SignJWT, exportJWK, generateKeyPair } from "jose";
import { onTestFinished } from "vitest";

export const ISSUER = "https://id.example.com/";
export const AUDIENCE = "tulipgraph";

export interface Pair {
  privateKey: CryptoKey;
  jwk: object;
}

export async function newPair(kid: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" } };
}

/** An issuer whose keys are served on this machine, and can change. */
export async function startIssuer(first: Pair) {
  const served = { keys: [first.jwk], isDown: false, asked: 0 };
  const server = createServer((_request, response) => {
    served.asked += 1;
    if (served.isDown) return response.writeHead(502).end();
    return response.end(JSON.stringify({ keys: served.keys }));
  }).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  onTestFinished(() => void server.close());
  return { served, jwks: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json` };
}

/** A token, by default of ada for a minute. */
export function sign(
  { privateKey }: Pair,
  claims: JWTPayload = {},
  { kid = "one", alg = "ES256" } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: ISSUER, aud: AUDIENCE, sub: "ada", scope: "run read", exp: now + 60 };
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg, kid }).sign(privateKey);
}
