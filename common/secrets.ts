/** Replaces a key or password. */
const HIDDEN = "***";

/**
 * Keys recognised by their form or by the text before them; each match keeps its first group. Repetitions are
 * bounded, so the time is linear in the length of a text.
 */
const SECRETS: readonly RegExp[] = [
  // Names and passwords in addresses: https://name:password@host, postgres://…
  /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>@]{1,500}(?:@[^\s/?#"'<>@]{0,500}){0,5}(?=@)/gi,
  // Parameters of addresses and of DSNs in list form: ?api_key=…, password=…
  /((?:[?&;\s]|^)(?:api[-_]?key|access[-_]?key|access[-_]?token|auth|token|key|secret|client[-_]?secret|sig|signature|password|passwd|pwd)=)[^&;\s#"'<>]{1,2000}/gi,
  // Headers.
  /\b((?:bearer|basic)\s{1,5})[A-Za-z0-9._~+/=-]{8,4000}/gi,
  /\b((?:x-)?api-key["']?\s{0,5}[:=]\s{0,5}["']?)[^\s"',;]{6,2000}/gi,
  // Keys of providers.
  /(?<![A-Za-z0-9])()(?:sk|pk|rk|gsk|xai|hf|lsv2|ghp|gho|ghs|github_pat|glpat|xox[abprs])[-_](?=[A-Za-z0-9_-]{0,200}\d)[A-Za-z0-9_-]{12,400}/g,
  // Keys of our own server (server/access/keys.ts).
  /()tulipkey_[A-Za-z0-9_-]{20,100}/g,
  /(?<![A-Za-z0-9])()(?:AIza[A-Za-z0-9_-]{30,60}|AKIA[A-Z0-9]{16})/g,
];

/** Names of variables whose values are secret. */
const SECRET_NAME = /(_KEY|_TOKEN|_SECRET|_PASSWORD)$/;

/** Shorter values may be ordinary words. */
const SHORTEST_SECRET = 8;

/**
 * A text without the secrets in the environment and without anything that looks like a key or password. For
 * everything that is printed, logged, saved or sent to a model, unless it is the very thing somebody asked for.
 */
export function withoutSecrets(text: string): string {
  return cleanText(text, secretVariables());
}

type Variable = [name: string, value: string];

/** Reading a variable takes a system call, so only those that matter are read. */
function secretVariables(): Variable[] {
  const names = Object.keys(process.env).filter((name) => SECRET_NAME.test(name));
  const all = names.map((name): Variable => [name, process.env[name] ?? ""]);
  return all.filter(([, value]) => value.length >= SHORTEST_SECRET);
}

function cleanText(text: string, variables: readonly Variable[]): string {
  const clean = variables.reduce(
    (left, [name, value]) => left.replaceAll(value, () => `<${name}>`),
    text,
  );
  return SECRETS.reduce((left, secret) => left.replaceAll(secret, `$1${HIDDEN}`), clean);
}

/** Whether a text contains a key or password. */
export function holdsSecret(text: string): boolean {
  return withoutSecrets(text) !== text;
}

/** Names without a secret. Every stage of a run checks its models' names, and reading the environment takes time. */
const harmlessNames = new Set<string>();

/** More names than a process uses; those beyond are checked each time. */
const MOST_NAMES = 1000;

/** Whether a name, such as a model's, contains a key or password. A name once found harmless stays so. */
export function isSecretName(name: string): boolean {
  if (harmlessNames.has(name)) return false;
  if (holdsSecret(name)) return true;
  if (harmlessNames.size < MOST_NAMES) harmlessNames.add(name);
  return false;
}

/** Plain data, such as an error's details, with all its texts cleaned. */
export function withoutSecretsIn<Data>(data: Data): Data {
  const variables = secretVariables();
  const cleaned = (value: unknown): unknown => {
    if (typeof value === "string") return cleanText(value, variables);
    if (Array.isArray(value)) return value.map(cleaned);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]));
  };
  return cleaned(data) as Data;
}
