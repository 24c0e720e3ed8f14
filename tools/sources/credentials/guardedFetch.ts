import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { BlockList, isIP, isIPv6 } from "node:net";
import { Readable, type Transform, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A {@link guardedFetch}. */
interface GuardedFetch extends Fetch {
  /** Whether the server that tells addresses is in a private network, whose addresses it may then name. */
  isPrivate: () => Promise<boolean>;
}

/** Time limit in milliseconds for an answer. */
const ANSWERED_MS = 30_000;

/**
 * A fetch for addresses that a server tells us, such as where its logins are: it follows no redirect, so that nothing
 * secret goes to another host (with "manual", whoever asks gets the redirect), and reaches no private address on behalf
 * of a public server. A name is looked up once, and what was checked is what is connected to, whatever the name stands
 * for later.
 *
 * @param told the address of the server that tells them
 * @param options.isPrivate whether that server was in a private network when it told them
 */
export function guardedFetch(
  told: URL,
  options: {
    isPrivate?: boolean;
    lookUp?: (name: string) => Promise<LookupAddress[]>;
    /** @default 30 s; a stream may take longer */
    answeredMs?: number;
    /** The error for a private address, which is told with its port. */
    refusal?: (host: string) => Error;
  } = {},
): GuardedFetch {
  const { lookUp = (name) => lookup(name, { all: true }), answeredMs = ANSWERED_MS } = options;
  const { refusal = refusedAddress } = options;
  const known = new Map<string, Promise<LookupAddress[]>>();
  const addressesOf = ({ hostname }: URL) => {
    const bare = hostname.replace(/^\[|\]$/g, "");
    const family = isIP(bare);
    const found =
      known.get(bare) ?? (family ? Promise.resolve([{ address: bare, family }]) : lookUp(bare));
    known.set(bare, found);
    return found;
  };
  const isPrivate = async () => options.isPrivate ?? arePrivate(await addressesOf(told));
  const fetching: Fetch = async (address, init = {}) => {
    const url = new URL(address);
    if (url.protocol !== "https:" && url.protocol !== "http:")
      throw new Error(`it names ${url.protocol}…, which is not a web address`);
    const limit = AbortSignal.timeout(answeredMs);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const addresses = await addressesOf(url).catch(failed);
    // Whoever registers a server of a private network means that network.
    if (url.host !== told.host && arePrivate(addresses) && !(await isPrivate()))
      throw refusal(url.host);
    return await sent(new Request(url, { ...init, signal }), addresses).catch((error: unknown) => {
      signal.throwIfAborted();
      return failed(error);
    });
  };
  return Object.assign(fetching, { isPrivate });
}

function refusedAddress(host: string): Error {
  return new Error(`it names the private address ${host}, which a public server must not`);
}

/** Redirects of one request that are followed. */
const MOST_REDIRECTS = 5;

/** A fetch that follows redirects, for requests that carry nothing secret. */
export function following(send: Fetch): Fetch {
  return async (url, init = {}) => {
    let at = url;
    for (let followed = 0; ; followed++) {
      const response = await send(at, { ...init, redirect: "manual" });
      const { status, headers, body } = response;
      const next = status >= 300 && status < 400 ? headers.get("location") : null;
      // The others turn a request with a body into one without.
      const isKept = (init.method ?? "GET") === "GET" || status === 307 || status === 308;
      if (next === null || !isKept || followed === MOST_REDIRECTS) return response;
      await body?.cancel();
      at = new URL(next, at);
    }
  };
}

/** As the platform's fetch says it. */
function failed(cause: unknown): never {
  throw new TypeError("fetch failed", { cause });
}

/** Sends a request to one of some addresses. The platform's fetch would look the name up again. */
async function sent(request: Request, addresses: readonly LookupAddress[]): Promise<Response> {
  const response = await sentByNode(new URL(request.url), {
    method: request.method,
    headers: request.headers,
    body: await request.arrayBuffer(),
    signal: request.signal,
    lookup: answering(addresses),
  });
  const { status, body } = response;
  if (request.redirect === "manual" || status < 300 || status >= 400) return response;
  await body?.cancel();
  throw new Error("it redirects, which is not followed");
}

/** Sends a request with Node's own client, which also sends a body with GET, as some searches want it. */
export async function sentByNode(
  url: URL,
  request: Pick<RequestInit, "method" | "headers" | "signal"> & {
    body: ArrayBuffer;
    lookup?: ReturnType<typeof answering>;
  },
): Promise<Response> {
  const { method, headers, signal, body, lookup: look } = request;
  const { request: open } = url.protocol === "https:" ? https : http;
  const fields = Object.fromEntries(new Headers(headers));
  if (body.byteLength > 0) fields["content-length"] = String(body.byteLength);
  const settings = { method, headers: fields, signal: signal ?? undefined };
  const asked = open(url, { ...settings, agent: false, lookup: look });
  asked.end(Buffer.from(body));
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  return responseOf(answer, url.href);
}

/** An answer of Node's own client as the platform's fetch gives it. */
function responseOf(answer: IncomingMessage, url: string): Response {
  const { statusCode: status = 500, statusMessage: statusText } = answer;
  const hasBody = ![204, 205, 304].includes(status);
  // Some servers compress whatever they are asked for.
  const decoder = DECODERS[answer.headers["content-encoding"]?.toLowerCase() ?? ""]?.();
  // What breaks off in the middle fails when it is read.
  const plain = decoder ? pipeline(answer, decoder, () => undefined) : answer;
  const response = new Response(hasBody ? (Readable.toWeb(plain) as ReadableStream) : null, {
    status,
    statusText,
    headers: Object.entries(answer.headersDistinct)
      .filter(([name]) => !decoder || !/^content-(?:encoding|length)$/.test(name))
      .flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
  });
  // A constructed response has no address.
  return Object.defineProperty(response, "url", { value: url });
}

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

type LookedUp = (error: null, address: string | LookupAddress[], family?: number) => void;

/** A look-up for a connection, which is told what is known already. */
function answering(addresses: readonly LookupAddress[]) {
  return (_name: string, { all }: LookupOptions, tell: LookedUp): void => {
    const [first = { address: "", family: 0 }] = addresses;
    if (all) tell(null, [...addresses]);
    else tell(null, first.address, first.family);
  };
}

/** Also if only one of several addresses of a name is private, because any of them could be used. */
function arePrivate(addresses: readonly LookupAddress[]): boolean {
  return addresses.some(({ address }) => PRIVATE.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
}

const PRIVATE = new BlockList();
for (const range of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4",
  "::/127 64:ff9b::/96 fc00::/7 fe80::/10 ff00::/8",
].flatMap((line) => line.split(" "))) {
  const [net = "", bits] = range.split("/");
  PRIVATE.addSubnet(net, Number(bits), isIPv6(net) ? "ipv6" : "ipv4");
}
