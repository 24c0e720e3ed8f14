import { afterEach, describe, expect, it, vi } from "vitest";
import { requireKey } from "../../models/keys.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

const SETTINGS = { spec: "p:m", key: "P_API_KEY", baseUrl: "P_BASE_URL", keyless: "q:n" };

describe("requireKey", () => {
  it("leaves a key that is set to the client", () => {
    vi.stubEnv("P_API_KEY", "sk-0123456789");
    expect(requireKey(SETTINGS)).toBeUndefined();
  });

  it("needs none for a provider without keys", () => {
    expect(requireKey({ spec: "p:m", keyless: "q:n" })).toBeUndefined();
  });

  it("gives a placeholder for the user's own endpoint", () => {
    vi.stubEnv("P_BASE_URL", "http://127.0.0.1:1/v1");
    expect(requireKey(SETTINGS)).toBe("none");
  });

  it.each([undefined, ""])("names what is missing when the key is %j", (key) => {
    vi.stubEnv("P_API_KEY", key);
    expect(() => requireKey(SETTINGS)).toThrow(
      "model p:m: no key is set. set P_API_KEY in the environment or in .env, or use q:n, which needs none",
    );
  });
});
