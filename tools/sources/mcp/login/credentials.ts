import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { StoredOAuthClientInformation, StoredOAuthTokens } from "@modelcontextprotocol/client";
import { sha256 } from "../../../library/hash.js";

/** What a login leaves behind: secrets, which are nowhere else than here. */
export interface Credentials {
  /** The address that they are for; those of another server of the same name are not sent to it. */
  url: string;
  client?: StoredOAuthClientInformation;
  tokens?: StoredOAuthTokens;
}

/** One server's credentials, in a file of its own that only its owner may read. */
export interface CredentialsFile {
  path: string;
  /** Undefined where there are none. */
  read: () => Credentials | undefined;
  write: (credentials: Credentials) => void;
  remove: () => void;
}

/**
 * The credentials of a server. They lie where the system keeps settings of a user, and not in a home, which is copied
 * and committed: `$XDG_CONFIG_HOME/tulipgraph/credentials`, by default below `~/.config`.
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
        // None yet, or a file that a crash has cut: a new login writes it anew.
        return undefined;
      }
    },
    write(credentials) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(credentials), { mode: 0o600 });
      // A mode is only taken for a file that is made.
      chmodSync(draft, 0o600);
      renameSync(draft, path);
    },
    remove: () => rmSync(path, { force: true }),
  };
}

function configFolder(): string {
  return process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config");
}
