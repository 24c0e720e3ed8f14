/**
 * The official conformance suite of MCP on Node 20: its one file imports a function of `fs` that Node has from 22 on,
 * for checks that are neither of servers nor of clients. Arguments are those of its command line.
 */
import { register } from "node:module";

const hooks = `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith("/conformance/dist/index.js")) return loaded;
  return { ...loaded, source: String(loaded.source).replace(/globSync as \\w+,/, "") };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
const suite = new URL(
  "../../node_modules/@modelcontextprotocol/conformance/dist/index.js",
  import.meta.url,
);
await import(suite.href);
