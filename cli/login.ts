import { UnknownName } from "../common/errors.js";
import { login } from "../tools/sources/mcp/login/login.js";
import { openWorkspace } from "../workspace/workspace.js";
import { printHanging } from "./terminal.js";

/** `tools login NAME`: tells on stderr where to log in, and waits until that has been done. */
export async function logIn(name: string, options: { url?: string }): Promise<void> {
  const { sources } = openWorkspace().store;
  const { url } = options;
  const known = sources.list().filter(({ kind }) => kind === "mcp");
  const source = url === undefined ? sources.get(name) : { name, settings: { url, headers: {} } };
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
    show: (address) => process.stderr.write(`open this address to log in:\n${address.href}\n`),
  });
  const text = wasWanted ? `logged in; kept in ${file}` : "the server wants no login";
  printHanging({ label: `${name}: `, text });
}
