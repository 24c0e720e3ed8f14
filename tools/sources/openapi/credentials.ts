import { execFile } from "node:child_process";
import type { HttpOperation } from "../../tool.js";
import { COMMAND, type Credential, VARIABLES } from "./auth.js";

/** A credential with its secret, for a request. */
export interface ReadyCredential extends Credential {
  /** Secret. */
  secret: string;
}

/** Time limit for a command that prints a credential, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Gets credentials when calls need them, and keeps the output of commands until the API rejects it. */
export interface CredentialReader {
  /** @throws Error in one line, without any value, if a credential cannot be read or none was named */
  of: (needed: {
    api: string;
    operation: HttpOperation;
    auth: Readonly<Record<string, Credential>>;
  }) => Promise<ReadyCredential[]>;
  /** For when the API has rejected them: the next call runs the commands again. */
  forget: () => void;
}

export function credentialReader(): CredentialReader {
  const outputs = new Map<string, Promise<string>>();
  const secretOf = async (name: string, value: string) => {
    const [, command] = COMMAND.exec(value) ?? [];
    if (command === undefined) return fromEnvironment(name, value);
    const output = outputs.get(command) ?? outputOf(name, command);
    outputs.set(command, output);
    // A failed command is tried again by the next call.
    output.catch(() => outputs.delete(command));
    return await output;
  };
  return {
    async of({ api, operation, auth }) {
      const names = namesFor({ api, operation, auth });
      return await Promise.all(
        names.flatMap((name) => {
          const credential = auth[name];
          if (!credential) return [];
          return secretOf(name, credential.value).then((secret) => ({ ...credential, secret }));
        }),
      );
    },
    forget: () => outputs.clear(),
  };
}

/** The names of the first list that is known completely, and of credentials that go with every call. */
function namesFor({
  api,
  operation: { security },
  auth,
}: Parameters<CredentialReader["of"]>[0]): string[] {
  const always = Object.keys(auth).filter((name) => auth[name]?.always);
  if (!security || security.length === 0) return always;
  const known = security.filter((names) => names.every((name) => Object.hasOwn(auth, name)));
  const chosen = known.find((names) => names.length > 0) ?? known[0];
  if (chosen || always.length > 0) return [...new Set([...always, ...(chosen ?? [])])];
  const wanted = security.map((names) => names.join(" and ")).join(", or ");
  throw new Error(
    `it needs credentials (${wanted}), but source ${api} has none. Import it again with --auth '${security[0]?.[0] ?? "NAME"}=$VARIABLE'`,
  );
}

function fromEnvironment(name: string, value: string): string {
  return value.replaceAll(VARIABLES, (_, braced?: string, plain?: string) => {
    const variable = braced ?? plain ?? "";
    const found = process.env[variable];
    if (found) return found;
    throw new Error(`its credential ${name} comes from $${variable}, which is not set`);
  });
}

/** What a command prints, trimmed. Its stderr may contain a secret and is not shown. */
function outputOf(name: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: PATIENCE_MS, encoding: "utf8" } as const;
    execFile("/bin/sh", ["-c", command], options, (error, stdout) => {
      const output = stdout.trim();
      if (!error && output !== "") return resolve(output);
      const how = error
        ? `failed (${error.killed ? "out of time" : `exit ${error.code}`})`
        : "printed nothing";
      reject(new Error(`the command for its credential ${name} ${how}`));
    });
  });
}
