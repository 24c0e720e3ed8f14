import { clipped } from "../../../common/text.js";
import { type Hiding, hidingSecrets } from "../../../common/secrets.js";
import {
  type InputRequest,
  type WantedConnection,
  type RemoteCall,
  type ConnectedSource,
  LOCAL,
  type WantedCredentials,
  credentialsOf,
} from "../../remote.js";
import { sha256 } from "../../library/records/hash.js";
import { offeredForm } from "../../library/libraryOfPerson.js";
import type { Login, LoginPlace } from "../mcp/oauth.js";
import type { ToolDefinition } from "../../tool.js";
import { claimsIn } from "./claims.js";
import { passedToken } from "./passedToken.js";
import type { Connection, ConnectionStore } from "./store.js";

/** The credentials with which a call is made. */
export interface Credentials {
  /** In place of the environment's variables. */
  values?: Readonly<Record<string, string>>;
  login?: LoginPlace;
  /** For the header Authorization. */
  bearer?: string;
}

/** Somebody's own credentials. */
export interface OwnCredentials extends Credentials {
  /** What is opened with these credentials is nobody else's, and is not used with others. */
  key: string;
  /** The source has not accepted them. @returns what to throw */
  refused: () => Promise<ConnectWanted>;
  /** The source offers these tools to their owner, whose runs are not shown others of it. */
  offered: (tools: readonly ToolDefinition[]) => Promise<void>;
  /** Takes them out of what the source says. */
  hide: Hiding;
}

/** A call needs a connection of the person on whose behalf it is made. */
export class ConnectWanted extends Error {
  constructor(readonly request: InputRequest) {
    super(request.message);
  }
}

/**
 * The credentials of the person on whose behalf a call is made.
 *
 * @param options.place where the call goes
 * @param options.wanted what the source wants of each person
 * @returns undefined for a source whose credentials are shared
 * @throws ConnectWanted when that person has to connect first
 */
export async function ownCredentials(options: {
  source: ConnectedSource;
  call: RemoteCall;
  place: string;
  store: ConnectionStore | undefined;
  wanted: () => WantedCredentials;
}): Promise<OwnCredentials | undefined> {
  const { source, call, place, store, wanted } = options;
  const taken = credentialsOf(source);
  if (taken === "shared") return undefined;
  const { behalf } = call;
  if (!behalf || !store) throw new Error(`${source.name} acts for a person, and here it is nobody`);
  const ask = asking(source, call, place);
  if (behalf.owner !== behalf.threadOwner) throw ask("owner");
  const { way, fields, places } = wanted();
  if (!places.includes(place))
    throw new Error(
      `nobody's credentials go to ${place}, where ${source.name} was not imported from`,
    );
  const offeredTo = (id: string) => async (tools: readonly ToolDefinition[]) =>
    await store.offer(
      id,
      source.name,
      Object.fromEntries(tools.map((tool) => [tool.id, offeredForm(tool)])),
    );
  if (taken === "passthrough") {
    const passed = await passedToken({ source, store, behalf });
    if (!passed) throw ask("token");
    const { bearer, id } = passed;
    const refused = async () => ask("token");
    const key = `token ${sha256(bearer)}`;
    return { key, hide: hidingAll([bearer]), bearer, refused, offered: offeredTo(id) };
  }
  const connection = await store.find(behalf.owner, source.name);
  const isUsable =
    connection?.kind === way &&
    !connection.isRefused &&
    connection.places.includes(place) &&
    fields.every((field) => Object.hasOwn(connection.secret, field));
  if (!isUsable) {
    // What no longer fits must not stand in the way of a new one.
    if (connection) await store.refuse(connection.id);
    throw ask(way, fields);
  }
  const refused = async () => {
    await store.refuse(connection.id);
    return ask(way, fields);
  };
  const { id: key, secret } = connection;
  const offered = offeredTo(key);
  if (way === "login") {
    const secrets = tokensIn(secret);
    const renewed = (login: Login) => void secrets.push(...tokensIn(login));
    const login = loginPlace(store, connection, renewed);
    return { key, hide: hidingAll(secrets), login, refused, offered };
  }
  // Without a prototype: names of variables come from outside.
  const values = Object.assign(Object.create(null), secret) as Record<string, string>;
  return { key, hide: hidingAll(Object.values(values)), values, refused, offered };
}

/** Takes secrets out of what a source says; a login may get further ones during the call. */
function hidingAll(secrets: readonly string[]): Hiding {
  return {
    text: (text) => hidingSecrets(secrets).text(text),
    data: (data) => hidingSecrets(secrets).data(data),
  };
}

function tokensIn({ tokens }: Login): string[] {
  const { access_token, refresh_token, id_token } = tokens ?? {};
  return [access_token, refresh_token, id_token].filter((each) => typeof each === "string");
}

/** The stored login of a connection, for as long as it is that connection. */
function loginPlace(
  store: ConnectionStore,
  { id, owner, source }: Pick<Connection, "id" | "owner" | "source">,
  onRenewed: (login: Login) => void = () => undefined,
): LoginPlace {
  const now = async () => {
    const found = await store.find(owner, source);
    return found?.id === id && !found.isRefused ? found : undefined;
  };
  return {
    read: async () => (await now())?.secret,
    renew: async (login) => {
      onRenewed(login);
      const found = await now();
      if (found) await store.renew(found, { ...found, ...withLogin(login) });
    },
  };
}

/** The credentials that all share: besides the environment's, the login of whoever has logged in on this machine. */
export async function sharedCredentials(options: {
  store: ConnectionStore | undefined;
  source: ConnectedSource;
  /** Where they go. */
  placeOf: (source: ConnectedSource) => string;
}): Promise<Credentials> {
  const { store, source, placeOf } = options;
  const place = placeOf(source);
  // Nobody logs in to a program.
  if (!store || !place.startsWith("http")) return {};
  const connection = await store.find(LOCAL.owner, source.name);
  const isUsable =
    connection?.kind === "login" && !connection.isRefused && connection.places.includes(place);
  return isUsable ? { login: loginPlace(store, connection) } : {};
}

/** A login as it is stored, with what its tokens say of their owner and their end. */
export function withLogin(login: Login) {
  const { tokens } = login;
  const claims = claimsIn(tokens?.id_token) ?? claimsIn(tokens?.access_token) ?? {};
  const account = [claims["email"], claims["preferred_username"], claims["sub"]].find(
    (claim) => typeof claim === "string",
  );
  const lasts = tokens?.refresh_token === undefined ? tokens?.expires_in : undefined;
  return {
    secret: { ...login },
    ...(account === undefined ? {} : { account: clipped(account, LONGEST_ACCOUNT) }),
    // With a refresh token, it lasts until it is withdrawn.
    ...(lasts === undefined ? {} : { expiresAt: Date.now() + lasts * 1000 }),
  };
}

/** Characters of an account's name. */
const LONGEST_ACCOUNT = 100;

type ConnectWay = WantedConnection["way"];

/** Characters shown of the arguments of a call. */
const ARGUMENTS_SHOWN = 500;

function asking({ name }: ConnectedSource, { record, callId, args }: RemoteCall, place: string) {
  return (way: ConnectWay, fields: readonly string[] = []): ConnectWanted => {
    // The command of a program is nobody's business.
    const at = place.startsWith("http") ? place : name;
    const call = `${record.id}(${clipped(JSON.stringify(args), ARGUMENTS_SHOWN)})`;
    const messages: Record<ConnectWay, string> = {
      key: `${at} wants credentials of your own: ${fields.join(", ")}`,
      login: `${at} wants you to log in`,
      token: `${at} wants a token that is still valid: go on with a new one`,
      owner: `the call ${call} would be made in the name of the thread's owner, who has to go on with it`,
    };
    return new ConnectWanted({
      id: sha256(JSON.stringify([name, record.id, callId, way])).slice(0, ID_DIGITS),
      source: name,
      tool: record.id,
      callId,
      message: messages[way],
      connect: { way, fields: [...fields], path: `/connections/${name}` },
    });
  };
}

/** Digits of a question's id. */
const ID_DIGITS = 12;
