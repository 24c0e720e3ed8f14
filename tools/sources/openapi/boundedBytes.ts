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
