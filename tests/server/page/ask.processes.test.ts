import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { axeFinds } from "./browserPage.js";
import { describePage } from "./describePage.js";

/** Of the first view: HTML, script and style, compressed. */
const MOST_BYTES = 200 * 1024;

describePage("the page, in short", (stage) => {
  it("answers a first request without a key, and shows where the answer comes from", async () => {
    const page = await stage.open();
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText("Solved", { exact: true }).waitFor();
    expect(await page.locator(".answer").textContent()).toBe("The result is 12.");
    const row = page.locator(".program .call", { hasText: "multiply" });
    expect(await row.textContent()).toContain("12");
    await page.getByRole("button", { name: "12, from multiply" }).hover();
    expect(await row.getAttribute("class")).toContain("lit");
    expect(page.url()).toMatch(/#ask\/[0-9a-f-]{36}$/);
    expect(await axeFinds(page)).toEqual([]);
    expect(stage.problems).toEqual([]);
  });

  it("works below a path that a proxy takes off", async () => {
    const { hostname: host, port } = new URL(stage.server.url);
    const proxy = createServer((asked, answer) => {
      const [, path] = /^\/tulip(\/.*)/.exec(asked.url ?? "") ?? [];
      if (path === undefined) return answer.writeHead(404).end();
      const { method, headers } = asked;
      const passed = request({ host, port, path, method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      });
      return asked.pipe(passed);
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void proxy.close());
    await once(proxy, "listening");
    const { port: at } = proxy.address() as AddressInfo;
    const page = await stage.open({ url: `http://127.0.0.1:${at}/tulip` });
    await page.getByRole("button", { name: "What is 3 times 4?" }).click();
    await page.getByText("Solved", { exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/tulip/");
    expect(stage.problems).toEqual([]);
  });

  it("is small, and served with rules that allow only its own script and no frame", async () => {
    const parts = await Promise.all(
      ["/", "/page.js", "/page.css"].map(async (path) => await fetch(stage.server.url + path)),
    );
    const rules = parts[0]?.headers.get("content-security-policy") ?? "";
    expect(rules).toContain("default-src 'none'");
    expect(rules).toContain("script-src 'self'");
    expect(rules).toContain("frame-ancestors 'none'");
    expect(rules).not.toContain("unsafe");
    expect(parts[0]?.headers.get("x-content-type-options")).toBe("nosniff");
    const texts = await Promise.all(parts.map((part) => part.text()));
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    expect(bytes).toBeLessThan(MOST_BYTES);
  });
});
