import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { InvalidSetting } from "../../common/errors.js";
import { openWorkspace } from "../../home/workspace.js";
import { LOCAL, type ConnectedSource, credentialsOf } from "../../tools/remote.js";
import { withLogin } from "../../tools/sources/credentials/own.js";
import { wantedFrom } from "../../tools/sources/kinds.js";
import { secretOf } from "../options.js";
import { printJson, printHanging, tell } from "../printing/print.js";
import { findSource } from "./sources.js";

export interface LoginOptions {
  url?: string;
  scope?: string;
  port?: number;
  clientId?: string;
  /** Name of a variable of the environment: "$SECRET". */
  clientSecret?: string;
  json?: boolean;
}

/**
 * `tools login NAME`: connects whoever uses this machine to a source, by a login whose address it prints, or by what it
 * asks for. What is already there is replaced.
 */
export async function logIn(name: string, options: LoginOptions): Promise<void> {
  const { url } = options;
  const source =
    url === undefined
      ? await findSource(
          name,
          `for an MCP server that is not imported yet: tulipgraph tools login ${name} --url URL`,
        )
      : { name, kind: "mcp" as const, settings: { url, headers: {} } };
  const { way, fields, places } = await wantedFrom(source);
  const isKey = way === "key" && credentialsOf(source) === "caller";
  const made = isKey ? await askedValues(name, fields) : await login(source, options);
  if (made) {
    const kind = isKey ? "key" : "login";
    const store = await openWorkspace().connections();
    await store.keep({ owner: LOCAL.owner, source: name, kind, places, ...made });
  }
  if (options.json) return printJson({ name, loggedIn: made !== undefined });
  const done = isKey ? "connected" : "logged in";
  printHanging({ label: `${name}: `, text: made ? done : "the server needs no login" });
}

async function login(source: ConnectedSource, options: LoginOptions) {
  const { name, kind } = source;
  if (kind !== "mcp") {
    const hint = "Its credentials are named with --auth when it is imported";
    throw new InvalidSetting({ setting: name, problem: "takes no login", hint });
  }
  const { login: begin } = await import("../../tools/sources/mcp/login.js");
  const { scope, port, clientId, clientSecret } = options;
  const done = await begin({
    source,
    scope,
    port,
    ...(clientId && {
      client: { client_id: clientId, client_secret: secretOf("--client-secret", clientSecret) },
    }),
    show: (address) => tell(`open this address to log in:\n${address.href}`),
  });
  return done && withLogin(done);
}

/** The values of fields, one a line, which a terminal does not show. */
async function askedValues(name: string, fields: readonly string[]) {
  const output = new Writable({ write: (_part, _encoding, done) => done() });
  const { stdin: input } = process;
  const reader = createInterface({ input, output, terminal: input.isTTY });
  const lines = reader[Symbol.asyncIterator]();
  const secret: Record<string, string> = {};
  try {
    for (const field of fields) {
      process.stderr.write(`${field} of ${name}: `);
      const line = await lines.next();
      tell("");
      secret[field] = line.done ? "" : line.value.trim();
      if (secret[field]) continue;
      const hint = `Give it on a line of the standard input: printf '%s\\n' "$KEY" | tulipgraph tools login ${name}`;
      throw new InvalidSetting({ setting: field, problem: "is empty", hint });
    }
  } finally {
    reader.close();
  }
  return { secret };
}
