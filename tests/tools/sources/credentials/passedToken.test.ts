import { text } from "node:stream/consumers";
import { UnsecuredJWT } from "jose";
import { expect, it } from "vitest";
import { passedToken } from "../../../../tools/sources/credentials/passedToken.js";
import { type ConnectionStore, tokenName } from "../../../../tools/sources/credentials/store.js";
import { serve } from "../mcp/httpSupport.js";

/** An issuer that exchanges tokens (RFC 8693), unless it does not say so. */
async function issuer({ grants = ["urn:ietf:params:oauth:grant-type:token-exchange"] } = {}) {
  const asked: Record<string, string>[] = [];
  const url: string = await serve((request, response) => {
    void (async () => {
      const body = await text(request);
      response.setHeader("content-type", "application/json");
      if (request.url?.startsWith("/.well-known/"))
        return response.end(
          JSON.stringify({
            issuer: url,
            token_endpoint: `${url}/token`,
            grant_types_supported: grants,
          }),
        );
      asked.push(Object.fromEntries(new URLSearchParams(body)));
      return response.end(JSON.stringify({ access_token: "for-the-shop", expires_in: 60 }));
    })();
  });
  return { url, asked };
}

function passed(iss: string, settings: object, aud: string[] = ["tulipgraph"]) {
  const token = new UnsecuredJWT({ iss, aud, sub: "ada" }).encode();
  const find = async (owner: string, name: string) =>
    owner === "ada" && name === tokenName("sub:ada")
      ? { id: "kept", secret: { token }, expiresAt: Date.now() + 60_000 }
      : undefined;
  const given = passedToken({
    source: { name: "shop", kind: "openapi", settings: { ...settings } },
    store: { find } as unknown as ConnectionStore,
    behalf: { owner: "ada", threadOwner: "ada", caller: "sub:ada" },
  });
  return { token, given };
}

it("is exchanged by its issuer for one that is meant for the source, once while that lasts", async () => {
  const { url, asked } = await issuer();
  const settings = { issuer: url, audience: "shop" };
  const { token, given } = passed(url, settings);
  expect(await given).toEqual({ id: "kept", bearer: "for-the-shop" });
  expect(await passed(url, settings).given).toMatchObject({ bearer: "for-the-shop" });
  expect(asked).toEqual([
    {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      subject_token: token,
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      audience: "shop",
    },
  ]);
  const whole = passed(url, settings, ["shop"]);
  expect(await whole.given).toMatchObject({ bearer: whole.token });
});

it("goes nowhere if its issuer is another, or exchanges none", async () => {
  const { url, asked } = await issuer({ grants: [] });
  const settings = { issuer: url, audience: "shop" };
  await expect(passed("https://evil.example/", settings, ["shop"]).given).rejects.toThrow(
    /takes tokens of .*yours is of https:\/\/evil/,
  );
  await expect(passed(url, settings).given).rejects.toThrow(/exchanges none/);
  expect(asked).toEqual([]);
});
