import { execFile } from "node:child_process";
import type { HttpOperation } from "../../tool.js";
import { COMMAND, type Credential, VARIABLES } from "./auth.js";

/** A credential that was had: what goes into the request. */
export interface ReadyCredential extends Credential {
  /** Secret. */
  secret: string;
}

/** How long a command for a credential may take, in milliseconds. */
const PATIENCE_MS = 30_000;

/** Gets credentials when calls need them, and keeps what commands gave until it is refused. */
export interface CredentialReader {
  /** @throws Error in one line, without any value, where one cannot be had or none was named */
  of: (needed: {
    api: string;
    operation: HttpOperation;
    auth: Readonly<Record<string, Credential>>;
  }) => Promise<ReadyCredential[]>;
  /** The API has refused them: commands are run again for the next call. */
  forget: () => void;
}

/** Makes a reader for the life of a caller. */
export function credentialReader(): CredentialReader {
  const outputs = new Map<string, Promise<string>>();
  const secretOf = async (name: string, value: string) => {
    const [, command] = COMMAND.exec(value) ?? [];
    if (command === undefined) return fromEnvironment(name, value);
    const output = outputs.get(command) ?? outputOf(name, command);
    outputs.set(command, output);
    // One that failed is tried again.
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

/** Those of the first list that all are known of, and those that go with every call. */
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
    `it needs credentials (${wanted}), which source ${api} has none for. Import it again with --auth '${security[0]?.[0] ?? "NAME"}=$VARIABLE'`,
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

/** What a command prints, without the line break at its end. What it complains of may hold a secret, and is not told. */
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
