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

const SECRET_NAME =
  /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PAT|APIKEY|CREDENTIALS?)$|^PGPASSWORD$/;

/** Shorter values may be ordinary words. */
const SHORTEST_SECRET = 8;

/** A secret that is known, and what is shown in its place. */
export interface Secret {
  value: string;
  /** @default "***" */
  shown?: string;
}

/** Takes certain secrets out of what others say. */
export interface Hiding {
  text: (text: string) => string;
  /** Plain data with all its texts and numbers. */
  data: <Data>(data: Data) => Data;
}

/**
 * Takes secrets out of texts, as they are and as they are passed on: in addresses, in JSON, and in base 64, also as a part
 * of something longer, such as NAME:PASSWORD.
 */
export function hiding(secrets: readonly Secret[]): Hiding {
  const forms = new Map<string, string>();
  for (const { value, shown = HIDDEN } of secrets)
    for (const form of formsOf(value)) if (!forms.has(form)) forms.set(form, shown);
  // What begins like another one goes first.
  const known = [...forms].toSorted(([one], [other]) => other.length - one.length);
  const text = (given: string) =>
    known.reduce((left, [form, shown]) => left.replaceAll(form, () => shown), given);
  return { text, data: (data) => cleaned(data, text) };
}

/** Shorter credentials may be ordinary words. */
const SHORTEST_CREDENTIAL = 4;

/** Takes the credentials of a call out of what its other side says. */
export function hidingSecrets(values: readonly string[]): Hiding {
  const long = values.filter(({ length }) => length >= SHORTEST_CREDENTIAL);
  return hiding(long.map((value) => ({ value })));
}

function formsOf(secret: string): string[] {
  const address = encodeURIComponent(secret);
  const plain = [
    secret,
    address,
    address.replaceAll("%20", "+"),
    JSON.stringify(secret).slice(1, -1),
  ];
  return [...plain, ...base64sOf(secret)];
}

/** The characters of base 64 that depend on a secret alone, wherever it begins in what is encoded. */
function base64sOf(secret: string): string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const encoded = whole.subarray(0, whole.length - (whole.length % 3));
    const shared = Math.ceil((before * 8) / 6);
    return (["base64", "base64url"] as const).map((way) => encoded.toString(way).slice(shared));
  });
}

/**
 * A text without the secrets in the environment and without anything that looks like a key or password. For
 * everything that is printed, logged, saved or sent to a model, unless it is the very thing somebody asked for.
 */
export function withoutSecrets(text: string): string {
  return cleanText(text, environment());
}

/** Plain data without the secrets in the environment. What only looks like a secret may be what somebody asked for. */
export function withoutOwnSecrets<Data>(data: Data): Data {
  return environment().data(data);
}

/** JSON without the secrets in the environment. */
export function jsonWithoutOwnSecrets(json: string): string {
  const hide = environment();
  return hide.text(json) === json ? json : JSON.stringify(hide.data(JSON.parse(json)));
}

let latest: { variables: string[]; hide: Hiding } = { variables: [], hide: hiding([]) };

/** What hides the secrets in the environment. Reading a variable takes a system call, so only those that matter are read. */
function environment(): Hiding {
  const names = Object.keys(process.env).filter((name) => SECRET_NAME.test(name));
  const variables = names.flatMap((name) => [name, process.env[name] ?? ""]);
  const { length } = variables;
  const isKnown =
    length === latest.variables.length &&
    variables.every((each, at) => each === latest.variables[at]);
  if (!isKnown) {
    const secrets = names.map((name) => ({ value: process.env[name] ?? "", shown: `<${name}>` }));
    const long = secrets.filter(({ value }) => value.length >= SHORTEST_SECRET);
    latest = { variables, hide: hiding(long) };
  }
  return latest.hide;
}

function cleanText(text: string, hide: Hiding): string {
  return SECRETS.reduce((left, secret) => left.replaceAll(secret, `$1${HIDDEN}`), hide.text(text));
}

/** Whether a text contains a key or password. */
export function holdsSecret(text: string): boolean {
  return withoutSecrets(text) !== text;
}

/** Whether a variable, header or parameter of this name holds a credential. */
export function isNameOfSecret(name: string): boolean {
  return /auth|key|token|secret|passw|cookie|credential|(?:^|_)(?:pass|pat)$/i.test(name);
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
  const hide = environment();
  return cleaned(data, (text) => cleanText(text, hide));
}

function cleaned<Data>(data: Data, clean: (text: string) => string): Data {
  const within = (value: unknown): unknown => {
    if (typeof value === "string") return clean(value);
    if (typeof value === "number") return clean(String(value)) === String(value) ? value : HIDDEN;
    if (Array.isArray(value)) return value.map(within);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [clean(key), within(inner)]),
    );
  };
  return within(data) as Data;
}

/** Cleans an error that others have made, with what has caused it, before anybody is told of it. */
export function hideIn(error: unknown): void {
  const seen = new Set<unknown>();
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    const { message, stack = "" } = at;
    at.message = withoutSecrets(message);
    at.stack = withoutSecrets(stack);
  }
}
