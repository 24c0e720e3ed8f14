import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A page on this machine that waits for a person's browser. */
interface BrowserBack {
  url: string;
  answer: Promise<URLSearchParams>;
  close: () => void;
}

/**
 * Waits on loopback for a browser: that comes back from a login, or whose user fills in a form. Nobody can guess the
 * address of a form.
 *
 * @param options.port by default any
 */
export async function listenForBrowser(
  options: { port?: number; form?: { title: string; fields: readonly string[] } } = {},
): Promise<BrowserBack> {
  const { port: wanted = 0, form } = options;
  const path = form ? `/${randomUUID()}` : "/callback";
  const server = createServer();
  const answer = new Promise<URLSearchParams>((resolve, reject) => {
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
      const say = (status: number, said: string, type = "text/plain") =>
        response.writeHead(status, { ...HEAD, "content-type": `${type}; charset=utf-8` }).end(said);
      const taken = (given: URLSearchParams) => {
        say(200, "tulipgraph has its answer. You can close this page.");
        resolve(given);
      };
      if (pathname !== path) say(404, "");
      else if (!form) taken(searchParams);
      else if (request.method !== "POST") say(200, formPage(form), "text/html");
      else text(request).then((body) => taken(new URLSearchParams(body)), reject);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wanted, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${path}`, answer, close: () => void server.close() };
}

const HEAD = {
  connection: "close",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
};

function formPage({ title, fields }: { title: string; fields: readonly string[] }): string {
  const inputs = fields.map((field) => {
    const name = plain(field);
    return `<p><label>${name} <input type="password" name="${name}" autocomplete="off" required></label></p>`;
  });
  return [
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>${plain(title)}</title>`,
    `<h1>${plain(title)}</h1><form method="post">`,
    ...inputs,
    "<button>Connect</button></form></html>",
  ].join("\n");
}

function plain(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
