import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { graphServer } from "../../../eval/runs/graphServer.js";

const { signal } = new AbortController();

/** A server that answers every request; on the port of an earlier one if given. */
async function answering(port = 0) {
  const server = createServer((_, response) => response.end("{}"));
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const { port: own } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  onTestFinished(close);
  return { port: own, url: `http://127.0.0.1:${own}`, close };
}

/** An address at which nothing listens any more. */
async function dead(): Promise<string> {
  const { url, close } = await answering();
  await close();
  return url;
}

it("says at once which addresses do not answer, if none has answered before", async () => {
  const urls = [await dead(), `${await dead()}/`];
  const asked = graphServer({ urls }).ask(({ read }) => read("/info"), { signal });
  const places = urls.map((url) => `${url.replace(/\/$/, "")} (ECONNREFUSED)`).join(", ");
  await expect(asked).rejects.toThrow(
    `--server: no answer from ${places}. Start a server (tulipgraph serve), or correct the address`,
  );
});

it("asks the next server if one does not answer", async () => {
  const { url } = await answering();
  const told: string[] = [];
  const server = graphServer({ urls: [await dead(), url], onSilence: (line) => told.push(line) });
  expect(await server.ask(({ read }) => read("/info"), { signal })).toEqual({});
  expect(told).toEqual([]);
});

it("tells once that a server has fallen silent, and goes on when it is back", async () => {
  const first = await answering();
  const told: string[] = [];
  const server = graphServer({ urls: [first.url], onSilence: (line) => told.push(line) });
  const ask = () => server.ask(({ read }) => read("/info"), { signal });
  await ask();
  await first.close();
  const asked = [ask(), ask()];
  await expect.poll(() => told, { timeout: 10_000 }).toHaveLength(1);
  expect(told[0]).toMatch(/^no answer from http:\S+ \(\w+\); trying again for two minutes$/);
  await answering(first.port);
  expect(await Promise.all(asked)).toEqual([{}, {}]);
  expect(told).toHaveLength(1);
});
