/** An answer is longer than it may be. */
export class TooMuch extends Error {}

/**
 * The bytes of an answer.
 *
 * @param most bytes; reading ends there
 * @throws TooMuch for more
 */
export async function boundedBytes(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  if (Number(response.headers.get("content-length")) > most) {
    await response.body?.cancel();
    throw new TooMuch();
  }
  // Node's streams can be gone through, which the types of the web do not say.
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

/** As {@link boundedBytes}, as text. */
export async function boundedText(response: Response, most: number): Promise<string> {
  return new TextDecoder().decode(await boundedBytes(response, most));
}
