import { InvalidSetting, UnknownName } from "../../common/errors.js";
import { login } from "../../tools/sources/mcp/login.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { printJson } from "../printing/print.js";
import { printHanging } from "../printing/terminal.js";

export interface LoginOptions {
  url?: string;
  scope?: string;
  port?: number;
  clientId?: string;
  /** Name of a variable of the environment: "$SECRET". */
  clientSecret?: string;
  json?: boolean;
}

/** `tools login NAME`: prints on stderr where to log in, and waits for it. */
export async function logIn(name: string, options: LoginOptions): Promise<void> {
  const { sources } = openWorkspace().store;
  const { url, scope, port, clientId, clientSecret } = options;
  const known = (await sources.list()).filter(({ kind }) => kind === "mcp");
  const source =
    url === undefined ? await sources.get(name) : { name, settings: { url, headers: {} } };
  if (!source) {
    throw new UnknownName({
      kind: "MCP server",
      wanted: name,
      available: known.map((each) => each.name),
      hint: `for one that is not imported yet: tulipgraph tools login ${name} --url URL`,
    });
  }
  const { wasWanted, file } = await login({
    source,
    scope,
    port,
    ...(clientId && { client: { client_id: clientId, client_secret: secretOf(clientSecret) } }),
    show: (address) => process.stderr.write(`open this address to log in:\n${address.href}\n`),
  });
  if (options.json) return printJson({ name, loggedIn: wasWanted, file });
  const text = wasWanted ? `logged in; kept in ${file}` : "the server wants no login";
  printHanging({ label: `${name}: `, text });
}

/** A secret does not belong on a command line, where other programs and the shell's history see it. */
function secretOf(reference: string | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const [, name = ""] = /^\$\{?(\w+)\}?$/.exec(reference) ?? [];
  const value = process.env[name];
  if (value) return value;
  throw new InvalidSetting({
    setting: "--client-secret",
    problem: name ? `the environment variable ${name} is not set` : "names no variable",
    hint: "Put the secret in an environment variable or in .env and write its name: '$SECRET'",
  });
}
