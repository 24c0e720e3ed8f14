import { randomBytes } from "node:crypto";
import { InvalidSetting, TulipgraphError } from "../../../common/errors.js";
import { credentialsOf, type ConnectedSource, type SourceRegistry } from "../../remote.js";
import { wantedFrom } from "../kinds.js";
import type { BegunLogin } from "../mcp/oauth.js";
import { withLogin } from "./own.js";
import { type ConnectionInfo, type ConnectionStore, tokenName } from "./store.js";

/** Somebody has connected meanwhile, in this name and to this source; that connection stays. */
export class ConnectedAlready extends TulipgraphError {
  readonly code = "CONNECTED_ALREADY";

  constructor(readonly details: { source: string }) {
    super(
      `${details.source}: there is a connection that works, and it stays. To replace it, delete it first`,
    );
  }
}

interface Connecting {
  store: ConnectionStore;
  source: ConnectedSource;
  owner: string;
}

/**
 * Connects an owner with values for the variables that a source names.
 *
 * @throws InvalidSetting for a source that wants something else; the message repeats no value
 * @throws ConnectedAlready if there is a connection that works
 */
export async function connectByKey(
  options: Connecting & { values: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { store, source, owner, values } = options;
  const { way, fields, places } = await wantedFrom(source);
  const names = Object.keys(values);
  const isComplete = fields.every((field) => isValue(values[field]));
  if (way !== "key" || !isComplete || names.length !== fields.length) {
    throw new InvalidSetting({
      setting: `connection to ${source.name}`,
      problem: `it takes ${way === "key" ? `texts for ${fields.join(", ")}` : "a login"}, and ${names.length > 0 ? "something else" : "nothing"} came`,
      hint: `Send { ${fields.map((field) => `"${field}": "…"`).join(", ")} }`,
    });
  }
  const made = { owner, source: source.name, kind: "key" as const, places };
  if (!(await store.make({ ...made, secret: { ...values } })))
    throw new ConnectedAlready({ source: source.name });
}

/** Characters of a value. */
const LONGEST_VALUE = 10_000;

/** Nothing that would end a header and begin another. */
function isValue(value: unknown): boolean {
  return (
    typeof value === "string" &&
    value.trim() !== "" &&
    value.length <= LONGEST_VALUE &&
    !/\p{Cc}/u.test(value)
  );
}

/** A login as it was begun: what it brings is for that address, whatever becomes of the source meanwhile. */
interface Pending {
  login: BegunLogin;
  url: string;
  places: string[];
}

/** Bytes of a state, which nobody can guess. */
const STATE_BYTES = 32;

/**
 * Begins an owner's login with OAuth.
 *
 * @param options.redirectUrl where the browser comes back to
 * @returns the page to open
 * @throws InvalidSetting for a server that wants no login
 */
export async function beginConnect(
  options: Connecting & { redirectUrl: string; scope?: string },
): Promise<URL> {
  const { store, source, owner, redirectUrl, scope } = options;
  const { beginLogin } = await import("../mcp/oauth.js");
  const { failing, loginAddress } = await import("../mcp/login.js");
  const state = randomBytes(STATE_BYTES).toString("base64url");
  const url = loginAddress(source);
  const { places } = await wantedFrom(source);
  const login = await beginLogin({ url, redirectUrl, state, scope }).catch(failing(source));
  if (!login) {
    throw new InvalidSetting({
      setting: source.name,
      problem: "it needs no login",
      hint: "Whoever imported it may name what it wants: --header 'Authorization: Bearer $KEY'",
    });
  }
  const begun: Pending = { login: login.begun, url: url.href, places };
  await store.begin(state, { owner, source: source.name, begun: { ...begun } });
  return login.open;
}

/**
 * Finishes an owner's login with what the browser has brought back. Only its owner can: whoever sends another person to
 * a login of their own gets nothing of that person's.
 *
 * @returns the source
 * @throws InvalidSetting if this owner has begun no such login, or long ago
 * @throws ConnectedAlready if there is a connection that works
 */
export async function finishConnect(options: {
  store: ConnectionStore;
  sources: SourceRegistry;
  owner: string;
  answer: URLSearchParams;
}): Promise<string> {
  const { store, sources, owner, answer } = options;
  const taken = await store.take(answer.get("state") ?? "", owner);
  const source = taken && (await sources.get(taken.source));
  if (!source) {
    throw new InvalidSetting({
      setting: "login",
      problem: "you have begun none with this answer, or it was answered already or is too old",
      hint: "Begin it again where you were asked to connect",
    });
  }
  const { finishLogin } = await import("../mcp/oauth.js");
  const { failing, givenCode } = await import("../mcp/login.js");
  const given = givenCode(source.name, answer);
  const { login: begun, url, places } = taken.begun as unknown as Pending;
  const login = await finishLogin({ url: new URL(url), begun, answer: given }).catch(
    failing(source),
  );
  const made = { owner, source: source.name, kind: "login" as const, places };
  if (!(await store.make({ ...made, ...withLogin(login) })))
    throw new ConnectedAlready({ source: source.name });
  return source.name;
}

/** Who somebody is at a source. */
export interface KnownAt extends Partial<Pick<ConnectionInfo, "account" | "madeAt" | "expiresAt">> {
  source: string;
  credentials: "shared" | "caller" | "passthrough";
  /** Shared credentials are the home's, whoever asks. */
  state: "shared" | "connected" | "not connected" | "refused";
  /** What they have to give. */
  way?: "key" | "login" | "token";
  fields?: string[];
}

/** Who an owner is at each of some sources. */
export async function knownAt(options: {
  store: ConnectionStore;
  sources: readonly ConnectedSource[];
  owner: string;
  caller: string;
}): Promise<KnownAt[]> {
  const { store, sources, owner, caller } = options;
  const connections = new Map((await store.list(owner)).map((each) => [each.source, each]));
  return await Promise.all(
    sources.map(async (source): Promise<KnownAt> => {
      const { name } = source;
      const credentials = credentialsOf(source);
      if (credentials === "shared") return { source: name, credentials, state: "shared" };
      const isPassed = credentials === "passthrough";
      const { way, fields, places } = await wantedFrom(source);
      const found = connections.get(isPassed ? tokenName(caller) : name);
      const wants = isPassed ? { way: "token" as const } : { way, fields };
      const isOld = isPassed
        ? (found?.expiresAt ?? 0) < Date.now()
        : !places.some((place) => found?.places.includes(place));
      if (!found || isOld) return { source: name, credentials, state: "not connected", ...wants };
      const { account, madeAt, expiresAt, isRefused } = found;
      const state = isRefused ? "refused" : "connected";
      return { source: name, credentials, state, ...wants, account, madeAt, expiresAt };
    }),
  );
}
