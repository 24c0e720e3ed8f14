import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { sha256 } from "../../../library/records/hash.js";

/** The result of a login: secrets that are stored nowhere else. */
export interface Credentials {
  /** The address they are for: a server with the same name at another address does not get them. */
  url: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

/** One server's credentials, in a file of its own that only its owner may read. */
export interface CredentialsFile {
  path: string;
  /** Undefined if there are none. */
  read: () => Credentials | undefined;
  write: (credentials: Credentials) => void;
  remove: () => void;
}

/**
 * The credentials of a server, in the user's own settings and not in a home, which may be copied and committed:
 * `$XDG_CONFIG_HOME/tulipgraph/credentials`, by default in `~/.config`.
 */
export function credentialsFile({ name, url }: { name: string; url: URL }): CredentialsFile {
  const folder = join(configFolder(), "tulipgraph", "credentials");
  const { href } = url;
  const path = join(folder, `${name}-${sha256(href).slice(0, 12)}.json`);
  return {
    path,
    read() {
      try {
        const credentials = JSON.parse(readFileSync(path, "utf8")) as Credentials;
        return credentials.url === href ? credentials : undefined;
      } catch {
        // None yet, or a file damaged by a crash, which a new login will replace.
        return undefined;
      }
    },
    write(credentials) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(credentials), { mode: 0o600 });
      // `writeFileSync` sets the mode only of a new file.
      chmodSync(draft, 0o600);
      renameSync(draft, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function configFolder(): string {
  return process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
}
