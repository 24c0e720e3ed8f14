import { describe, expect, it, vi } from "vitest";
import { readServer } from "../../../../tools/sources/mcp/listing.js";
import { serve, weatherServer } from "./httpSupport.js";
import { callTool, importServer, toolsOf, workspaceOfTest } from "./support.js";

const HEADERS = { Authorization: "Bearer $WEATHER_TOKEN" };
const TOKEN = "weather-token-4711";

describe("a server at an address", () => {
  it("is listed and called in the newest revision, with headers read from the environment", async () => {
    const { url, asked } = await weatherServer();
    vi.stubEnv("WEATHER_TOKEN", TOKEN);
    const workspace = workspaceOfTest();
    await importServer({ workspace, name: "weather", settings: { url, headers: HEADERS } });
    const tools = await toolsOf(workspace, "weather");
    const tool = tools.get("weather.warmth");
    expect(tool).toMatchObject({
      provider: "Weather of the world",
      providerDescription: "Tells how warm it is anywhere.",
      effects: "read",
      flow: ["foreign"],
      returns: { properties: { celsius: { type: "number" } } },
    });
    const outcome = await callTool({ workspace, tool, args: { place: "Rome" } });
    expect(outcome).toMatchObject({ status: "done", result: { celsius: 21 } });
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${TOKEN}`]),
    );
    expect(asked.at(-1)?.revision).toBe("2026-07-28");
    expect(JSON.stringify(workspace.store.sources.list())).not.toContain(TOKEN);
  });

  it("is not contacted if a variable of its headers is not set", async () => {
    const { url, asked } = await weatherServer();
    const reading = readServer({ name: "weather", settings: { url, headers: HEADERS } });
    await expect(reading).rejects.toThrow(/WEATHER_TOKEN is not set/);
    expect(asked).toEqual([]);
  });

  it("that requires a login is reported as such, without what it was sent", async () => {
    const { url } = await weatherServer({ refuse: () => true });
    vi.stubEnv("WEATHER_TOKEN", TOKEN);
    const reading = readServer({ name: "weather", settings: { url, headers: HEADERS } });
    await expect(reading).rejects.toThrow(/tulipgraph tools login weather/);
    await expect(reading).rejects.not.toThrow(TOKEN);
  });

  it("that redirects to another host is not followed there", async () => {
    const elsewhere = vi.fn<() => void>();
    const other = await serve((_request, response) => {
      elsewhere();
      response.end("{}");
    });
    const url = await serve((_request, response) => {
      response.writeHead(307, { location: other.replace("127.0.0.1", "localhost") }).end();
    });
    vi.stubEnv("WEATHER_TOKEN", TOKEN);
    const reading = readServer({ name: "s", settings: { url, headers: HEADERS } });
    await expect(reading).rejects.toThrow(/redirect/i);
    expect(elsewhere).not.toHaveBeenCalled();
  });

  it.each([
    [
      "answers a page",
      (write: Write) => write(200, "text/html", "<!doctype html><p>Hello"),
      /no MCP server/,
    ],
    [
      "answers 11 MB",
      (write: Write) => write(200, "application/json", `"${"x".repeat(11e6)}"`),
      /10 MB/,
    ],
    ["never answers", () => {}, /did not answer within/],
  ])("that %s is told in one line", async (_, answer, told) => {
    const url = await serve((_request, response) => {
      answer((status, type, body) =>
        response.writeHead(status, { "content-type": type }).end(body),
      );
    });
    const settings = { url, headers: {} };
    const error = await readServer({ name: "s", settings, startMs: 1_500 }).then(
      () => new Error("it did not fail"),
      (reason: Error) => reason,
    );
    expect(error.message).toMatch(told);
    expect(error.message).not.toContain("\n");
    expect(error.message.length).toBeLessThan(600);
  });
});

type Write = (status: number, type: string, body: string) => unknown;
