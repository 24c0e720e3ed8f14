import { describe, expect, it } from "vitest";
import { guardedFetch } from "../../../../tools/sources/credentials/guardedFetch.js";
import { serve } from "../mcp/httpSupport.js";

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

/** A resolver that gives other addresses at each question; the last of them from then on. */
function fickle(answers: Record<string, string[]>) {
  const asked: string[] = [];
  const lookUp = async (name: string) => {
    asked.push(name);
    const [address = "", ...later] = answers[name] ?? [];
    if (later.length > 0) answers[name] = later;
    return [{ address, family: 4 }];
  };
  return { lookUp, asked };
}

describe("a name that stands for something else after it was checked", () => {
  it("is connected to where it was checked, at each request", async () => {
    const own = new URL(await serve((request, response) => response.end(request.url)));
    const names = fickle({ "mcp.example": ["127.0.0.1", "203.0.113.7"] });
    const told = new URL(`http://mcp.example:${own.port}`);
    const fetching = guardedFetch(told, names);
    const body = new URLSearchParams({ code: "1" });
    for (const path of ["/metadata", "/token"])
      expect(await (await fetching(new URL(path, told), { method: "POST", body })).text()).toBe(
        path,
      );
    expect(names.asked).toEqual(["mcp.example"]);
  });

  it("does not lead into a private network", async () => {
    const seen: string[] = [];
    const inner = await serve((request, response) => response.end(seen.push(request.url ?? "")));
    const { port } = new URL(inner);
    const names = fickle({
      "mcp.example": ["203.0.113.7", "127.0.0.1"],
      "login.example": ["203.0.113.8", "127.0.0.1"],
    });
    const fetching = guardedFetch(new URL("https://mcp.example/mcp"), names);
    const signal = AbortSignal.timeout(500);
    const asked = fetching(`http://login.example:${port}/token`, { signal });
    await expect(asked).rejects.toThrow(/fetch failed|timeout/);
    // A server that was public when it was asked does not become part of the network by saying so.
    expect(await fetching.isPrivate()).toBe(false);
    const later = guardedFetch(new URL("https://mcp.example/mcp"), { ...names, isPrivate: false });
    await expect(later(inner)).rejects.toThrow(/private address/);
    await expect(fetching(inner)).rejects.toThrow(/private address/);
    expect(seen).toEqual([]);
  });
});
