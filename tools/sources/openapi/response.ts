/** An answer is too long. */
export class TooMuch extends Error {}

/**
 * The bytes of an answer.
 *
 * @param most the maximum of bytes; reading stops there
 * @throws TooMuch if there are more
 */
export async function boundedBytes(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  if (Number(response.headers.get("content-length")) > most) {
    await response.body?.cancel();
    throw new TooMuch();
  }
  // Node's streams are iterable, which the web types lack.
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  if (!body) return Buffer.alloc(0);
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    // Leaving the loop cancels the rest.
    if (length > most) throw new TooMuch();
  }
  return Buffer.concat(parts);
}

/** How many redirects of a request are followed. */
export const MOST_REDIRECTS = 5;

/** Where an answer redirects to: an address to follow, or the host of one that is not followed. */
type Redirect = { url: URL } | { refused: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The target of a redirect. Only redirects within a host and port are followed, and none from https to http: what is
 * sent to one host is meant neither for another nor for everybody on the way.
 *
 * @returns undefined for an answer that is not a redirect
 */
export function nextAddress(response: Response, from: URL): Redirect | undefined {
  const location = response.headers.get("location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  if (!URL.canParse(location, from)) return { refused: "an invalid address" };
  const url = new URL(location, from);
  const isSafe = url.protocol === from.protocol || url.protocol === "https:";
  // Other ports of a host may be other people's. The default ports of http and https both read as "".
  if (url.hostname === from.hostname && url.port === from.port && isSafe) return { url };
  return { refused: url.host === from.host ? url.origin : url.host };
}
