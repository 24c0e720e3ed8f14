/** Where an answer redirects to: an address that is followed, or the host of one that is not. */
export type Redirect = { url: URL } | { refused: string };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects within a host, from http to https as well. What is sent to one host is not meant for another,
 * nor for everybody on the way.
 *
 * @returns undefined for an answer that is no redirect
 */
export function nextAddress(response: Response, from: URL): Redirect | undefined {
  const location = response.headers.get("location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  if (!URL.canParse(location, from)) return { refused: "an address that is none" };
  const url = new URL(location, from);
  const isSafe = url.protocol === from.protocol || url.protocol === "https:";
  if (url.hostname === from.hostname && isSafe && isSamePort(url, from)) return { url };
  return { refused: url.host === from.host ? url.origin : url.host };
}

/** Other ports of a host may be other people's, except those that http and https have by themselves. */
function isSamePort(url: URL, from: URL): boolean {
  return url.port === from.port;
}
