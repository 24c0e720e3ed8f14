import { expect, it } from "vitest";
import { guardedFetch } from "../../../tools/connections/guardedFetch.js";
import { serve } from "../sources/mcp/httpSupport.js";

it("reaches no private address for a public server", async () => {
  const fetching = guardedFetch(new URL("https://203.0.113.7/mcp"));
  for (const host of [
    "127.0.0.1:1",
    "10.1.2.3",
    "169.254.169.254",
    "192.168.1.1",
    "[::1]",
    "[fd00::1]",
    "[::ffff:10.0.0.1]",
    "2130706433",
    "localhost",
  ])
    await expect(fetching(`http://${host}/token`)).rejects.toThrow(/private address/);
  await expect(fetching("file:///etc/passwd")).rejects.toThrow(/not a web address/);
});

it("follows no redirect, so that nothing secret goes to another host", async () => {
  const seen: string[] = [];
  const other = await serve((request, response) => {
    seen.push(request.url ?? "");
    response.end();
  });
  const told = await serve((_request, response) =>
    response.writeHead(307, { location: other }).end(),
  );
  const asked = guardedFetch(new URL(told))(`${told}/token`, { method: "POST", body: "secret" });
  await expect(asked).rejects.toThrow(/fetch failed/);
  expect(seen).toEqual([]);
});
