import type { SerializerProtocol } from "@langchain/langgraph-checkpoint";

/** Values of states as JSON and back. */
export interface Json {
  /**
   * Undefined if JSON does not hold all of the value: sets, errors, what is undefined … A message is held, as it writes
   * itself.
   */
  plain: (value: unknown) => string | undefined;
  /** Any value. LangGraph's serializer looks at each value twice and at each part of it anew. */
  write: (value: unknown) => Promise<string>;
  read: (text: string) => Promise<unknown>;
}

export function jsonBy(serde: SerializerProtocol): Json {
  return {
    plain: plainJson,
    write: async (value) => {
      // In a list, because bytes alone are not made JSON.
      const [, bytes] = await serde.dumpsTyped([value]);
      return new TextDecoder().decode(bytes).slice(1, -1);
    },
    read: async (text) =>
      text.includes(SPECIAL) ? await serde.loadsTyped("json", text) : (JSON.parse(text) as unknown),
  };
}

/** What LangChain writes of everything that is more than JSON. */
export const SPECIAL = '"lc":';

function plainJson(value: unknown): string | undefined {
  let isPlain = true;
  try {
    const text = JSON.stringify(value, (_key, part: unknown) => {
      isPlain &&= isPlainPart(part);
      return part;
    });
    return isPlain ? text : undefined;
  } catch {
    // A part contains itself.
    return undefined;
  }
}

function isPlainPart(part: unknown): boolean {
  if (typeof part !== "object" || part === null) return part !== undefined;
  return Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype;
}
