import type { Workspace } from "../../home/workspace.js";
import { type ConnectedSource, LOCAL } from "../../tools/remote.js";
import { connectByKey } from "../../tools/sources/credentials/connect.js";
import { listenForBrowser } from "../../tools/sources/credentials/listenForBrowser.js";
import { withLogin } from "../../tools/sources/credentials/own.js";
import { wantedFrom } from "../../tools/sources/kinds.js";
import { withinTime } from "../../tools/sources/mcp/connection.js";
import { LOGIN_MS, login } from "../../tools/sources/mcp/login.js";
import type { Connecting } from "./session.js";

/** Connects whoever uses this machine. Requests that want the same connection wait for the same page. */
export function connectingHere(workspace: Workspace): Connecting {
  const open = new Map<string, ReturnType<typeof begin>>();
  return {
    begin: async ({ source }) => {
      const begun = open.get(source) ?? begin(source, workspace);
      open.set(source, begun);
      const gone = () => void open.delete(source);
      begun.done.then(gone, gone);
      return await begun.page;
    },
    done: async ({ source }) => await open.get(source)?.done,
  };
}

function begin(name: string, workspace: Workspace) {
  let done: Promise<void> = Promise.resolve();
  const page = new Promise<URL>((show, fail) => {
    done = connectHere(name, workspace, show);
    done.then(() => fail(new Error(`${name} needs no login`)), fail);
  });
  // Whoever waits for it learns of it.
  page.catch(() => undefined);
  return { page, done };
}

async function connectHere(
  name: string,
  { store: { sources }, connections }: Workspace,
  show: (page: URL) => void,
): Promise<void> {
  const source = await sources.get(name);
  if (!source) throw new Error(`${name} is no longer imported`);
  const { way, fields, places } = await wantedFrom(source);
  const { owner } = LOCAL;
  const store = await connections();
  if (way === "key") {
    const values = await typedValues(source, fields, show);
    return await connectByKey({ store, source, owner, values });
  }
  const made = await login({ source, show });
  if (made) await store.keep({ owner, source: name, kind: "login", places, ...withLogin(made) });
}

/** Values for fields, which a person types in a page of this process. */
async function typedValues(
  { name }: ConnectedSource,
  fields: readonly string[],
  show: (page: URL) => void,
): Promise<Record<string, string>> {
  const back = await listenForBrowser({ form: { title: `Connect to ${name}`, fields } });
  try {
    show(new URL(back.url));
    return Object.fromEntries(await withinTime(LOGIN_MS, () => back.answer));
  } finally {
    back.close();
  }
}
