import type { PastCall } from "../../memory/experience.js";

/** A helpful call of a made-up tool, with what a test is about. */
export function pastCall(more: Partial<PastCall> = {}): PastCall {
  return {
    id: "u",
    library: "test",
    query: "What is the weather in Oslo?",
    tool: "get_weather",
    args: { city: "Oslo" },
    result: "Oslo: 4 degrees, rain",
    failed: false,
    helpful: true,
    judgedBy: "model",
    cost: 1,
    ms: 10,
    at: 1,
    ...more,
  };
}

/**
 * Two calls for each request: one returned a value and helped, the other found its quota used up and did not.
 */
export function judgedCalls(requests: number): PastCall[] {
  return Array.from({ length: requests }, (_, at) => {
    const query = `What is the weather in town ${at}?`;
    return [
      pastCall({ id: `${at}a`, query, result: `degrees ${at}, rain later`, helpful: true }),
      pastCall({ id: `${at}b`, query, result: `quota of plan ${at} used up`, helpful: false }),
    ];
  }).flat();
}
