/** What stands in the place of a key or a password. */
const HIDDEN = "***";

/**
 * Texts that are keys by their form or by what stands before them. Each keeps its first group. What may
 * stand in between is bounded, so that a long text takes no longer than it has characters.
 */
const SECRETS: readonly RegExp[] = [
  // Names and passwords in addresses: https://name:password@host, postgres://…
  /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>@]{1,500}(?:@[^\s/?#"'<>@]{0,500}){0,5}(?=@)/gi,
  // Parameters of addresses, and of the DSNs that are lists: ?api_key=…, password=…
  /((?:[?&;\s]|^)(?:api[-_]?key|access[-_]?key|access[-_]?token|auth|token|key|secret|client[-_]?secret|sig|signature|password|passwd|pwd)=)[^&;\s#"'<>]{1,2000}/gi,
  // Headers.
  /\b((?:bearer|basic)\s{1,5})[A-Za-z0-9._~+/=-]{8,4000}/gi,
  /\b((?:x-)?api-key["']?\s{0,5}[:=]\s{0,5}["']?)[^\s"',;]{6,2000}/gi,
  // Keys of providers.
  /(?<![A-Za-z0-9])()(?:sk|pk|rk|gsk|xai|hf|lsv2|ghp|gho|ghs|github_pat|glpat|xox[abprs])[-_](?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{12,400}/g,
  /(?<![A-Za-z0-9])()(?:AIza[A-Za-z0-9_-]{30,60}|AKIA[A-Z0-9]{16})/g,
];

/** Names of variables whose values are secret. */
const SECRET_NAME = /(_KEY|_TOKEN|_SECRET|_PASSWORD)$/;

/** Shorter values are words that stand in many a text. */
const SHORTEST_SECRET = 8;

/**
 * A text without keys and passwords: the values of those in the environment, and what looks like one. For
 * whatever is printed, logged, saved or told to a model and is not itself what somebody asked for.
 */
export function withoutSecrets(text: string): string {
  // Each variable is read from the system anew, which takes time: only those that matter are.
  const names = Object.keys(process.env).filter((name) => SECRET_NAME.test(name));
  const clean = names.reduce((left, name) => {
    const value = process.env[name] ?? "";
    return value.length < SHORTEST_SECRET ? left : left.replaceAll(value, () => `<${name}>`);
  }, text);
  return SECRETS.reduce((left, secret) => left.replaceAll(secret, `$1${HIDDEN}`), clean);
}

/** Whether a text has a key or a password in it. */
export function holdsSecret(text: string): boolean {
  return withoutSecrets(text) !== text;
}

/** Plain data, such as an error's details, with all texts in it cleaned. */
export function withoutSecretsIn<Data>(data: Data): Data {
  return cleaned(data) as Data;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return withoutSecrets(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]));
}
