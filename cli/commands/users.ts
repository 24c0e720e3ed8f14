import type { CommandForm } from "../command.js";
import { several } from "../../common/text.js";
import { InvalidSetting } from "../../common/errors.js";
import { sourcesIn } from "../../home/connectedSources.js";
import { openWorkspace } from "../../home/workspace.js";
import { type Kept, forget, keptOf } from "../../server/access/forget.js";
import { nameOwners } from "../../server/access/owners.js";
import { LOCAL } from "../../tools/remote.js";
import { type KnownAt, knownAt } from "../../tools/sources/credentials/connect.js";
import { EXIT } from "../exit.js";
import { withServerData } from "./keys.js";
import { minuteText, printHanging, printJson, printTable, tell } from "../printing/print.js";

/** `tulipgraph users forget NAME` */
export const USERS: CommandForm = {
  about: "Delete what a server stores for a user",
  commands: {
    forget: {
      about:
        "Show what is stored for an owner, or delete it with --yes. This covers connections, keys, threads with their calls, runs, assistants and libraries; spending stays",
      args: { "<owner>": "key:NAME for the owner of a key, jwt:ISSUER:NAME for a token's" },
      options: { "--yes": "delete it" },
      examples: ["tulipgraph users forget key:ada --yes"],
      run: forgetUser,
    },
  },
};

async function forgetUser(owner: string, { yes = false, json }: { yes?: boolean; json?: boolean }) {
  if (!/^(?:key|jwt):./.test(owner)) {
    throw new InvalidSetting({
      setting: "the owner",
      problem: `"${owner}" names neither an owner of keys nor one of tokens`,
      hint: "Write key:NAME or jwt:ISSUER:NAME",
    });
  }
  const workspace = openWorkspace();
  return await withServerData(async (data) => {
    await nameOwners(data, await workspace.connections());
    const kept = await (yes ? forget : keptOf)({ data, workspace, owner });
    if (json) printJson({ owner, deleted: yes, ...kept });
    else printHanging({ text: `${owner}: ${keptText(kept)}${yes ? " deleted" : ""}` });
    if (!yes) tell("to delete it, add --yes");
    return yes ? EXIT.done : EXIT.waiting;
  });
}

function keptText({ connections, keys, threads, assistants, runs, libraries }: Kept): string {
  return [
    named(connections, "connection"),
    named(keys, "key"),
    several(threads.length, "thread"),
    several(runs, "run"),
    several(assistants, "assistant"),
    `libraries: ${libraries.join(", ") || "none"}`,
  ].join(", ");
}

function named(names: readonly string[], noun: string): string {
  return several(names.length, noun) + (names.length > 0 ? ` (${names.join(", ")})` : "");
}

/** `tulipgraph whoami` */
export const WHOAMI: CommandForm = {
  about: "Show your account at each source of a library, or of all libraries",
  examples: ["tulipgraph whoami --library office"],
  run: async ({ library, json }: { library?: string; json?: boolean }) => {
    const { store, connections } = openWorkspace();
    const sources = await sourcesIn(store, library ? [library] : await store.names());
    const known = await knownAt({ store: await connections(), sources, ...LOCAL });
    if (json) return printJson(known);
    if (known.length === 0) tell("no MCP servers or OpenAPI documents are imported");
    printTable({ rows: known.map(row) });
  },
};

function row({ source, state, account, madeAt, expiresAt, way, fields = [] }: KnownAt): string[] {
  const since = madeAt === undefined ? "" : `since ${minuteText(madeAt)}`;
  const until = expiresAt === undefined ? "" : `until ${minuteText(expiresAt)}`;
  const wants = {
    key: `wants ${fields.join(", ")}`,
    login: "wants a login",
    token: "wants a token",
  };
  const isOpen = way !== undefined && state !== "connected";
  return [source, state, isOpen ? wants[way] : [account, since, until].filter(Boolean).join(" ")];
}
