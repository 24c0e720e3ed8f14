/** One of LangChain's messages, or anything else with their `toDict`. */
interface Writable {
  toDict: () => { type: string; data: Record<string, unknown> };
}

/**
 * JSON as clients of LangGraph's API read it: messages are flat objects with a `type`.
 *
 * @example
 * toJson({ messages: [new HumanMessage("Hello")] }); // '{"messages":[{"content":"Hello",…,"type":"human"}]}'
 */
export function toJson(value: unknown): string {
  return (
    JSON.stringify(value, function replace(this: Record<string, unknown>, key, written) {
      // The message's own `toJSON` has already been applied to `written`.
      const raw = this[key];
      if (!isWritable(raw)) return written as unknown;
      const { type, data } = raw.toDict();
      return { ...data, type };
    }) ?? "null"
  );
}

function isWritable(value: unknown): value is Writable {
  return (
    typeof value === "object" &&
    value !== null &&
    "toDict" in value &&
    typeof value.toDict === "function"
  );
}

/** An error, as clients read it. */
export function errorOf(error: unknown): { error: string; message: string } {
  if (error instanceof Error) return { error: error.name, message: error.message };
  return { error: "Error", message: JSON.stringify(error) ?? String(error) };
}
