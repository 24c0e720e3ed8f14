import { messageOf } from "./errors.js";

/** Codes of the system and of Node's client for a connection that was not made, or broke. */
const NOT_CONNECTED =
  /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|UND_ERR|ERR_INVALID_URL)/;

/** Codes of a certificate that is not accepted. */
const NOT_TRUSTED = /CERT|SIGNED|LEAF_SIGNATURE|ERR_TLS/;

/** Codes of an answer that is no TLS. */
const NO_TLS = /^(?:EPROTO|ERR_SSL)/;

/** The code of a failed connection, which clients bury in a chain of causes. */
export function connectionCode(error: unknown): string | undefined {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  const isMeant = [NOT_CONNECTED, NOT_TRUSTED, NO_TLS].some((form) => form.test(String(code)));
  if (isMeant) return String(code);
  return cause === undefined ? undefined : connectionCode(cause);
}

/** Whether a connection that failed with a code would fail again, whenever it is tried. */
export function isLasting(code: string): boolean {
  return [/^(?:ECONNREFUSED|ENOTFOUND|ERR_INVALID_URL)$/, NOT_TRUSTED, NO_TLS].some((form) =>
    form.test(code),
  );
}

/** What to do about a failed connection of whose reason Node says too little; undefined if it is another. */
export function connectionHint(error: unknown): string | undefined {
  const code = connectionCode(error) ?? "";
  if (NOT_TRUSTED.test(code))
    return "its certificate is not trusted here: name the file of your own authority in NODE_EXTRA_CA_CERTS, or have the certificate renewed";
  if (NO_TLS.test(code)) return "it may speak http:// there, not https://";
  const proxy = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].find(
    (name) => process.env[name],
  );
  if (proxy === undefined || process.env["NODE_USE_ENV_PROXY"] === "1") return undefined;
  return NOT_CONNECTED.test(code)
    ? `${proxy} is set, which Node (22.21, 24 or newer) only follows with NODE_USE_ENV_PROXY=1`
    : undefined;
}

/** The reason behind a "fetch failed". */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return connectionCode(error) ?? messageOf(cause);
}
