import { afterEach, describe, expect, it, vi } from "vitest";
import { InvalidSetting, ModelFailed, UnknownName } from "../../common/errors.js";
import { parseModelSpec } from "../../models/providers.js";
import { holdsSecret, withoutSecrets } from "../../common/secrets.js";
import { parseSettings } from "../../state/settings.js";
import { thrownText } from "../../tools/calls/engine/thrownText.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A text for each way in which a secret is written; all have the same secret. */
const SECRET = "sk-proj-0a1B2c3D4e5F6g7H";
const WRITTEN = [
  `https://ada:${SECRET}@example.com/v1`,
  `https://${SECRET}@example.com`,
  `postgres://ada:p@${SECRET}@db:5432/prod`,
  `redis://:${SECRET}@cache`,
  `https://example.com/v1?model=x&api_key=${SECRET}&y=1`,
  `host=db user=ada password=${SECRET}`,
  `Authorization: Bearer ${SECRET}`,
  `{"authorization":"Bearer ${SECRET}"}`,
  `x-api-key: ${SECRET}`,
  `openai:${SECRET}`,
  SECRET,
];

describe("withoutSecrets", () => {
  it("removes the values of keys, tokens and secrets everywhere in the text", () => {
    vi.stubEnv("P_API_KEY", "sk-$&-0123456789");
    vi.stubEnv("P_TOKEN", "token-0123456789");
    vi.stubEnv("P_SECRET", "secret-0123456789");
    const text = "sk-$&-0123456789, token-0123456789, secret-0123456789 and sk-$&-0123456789";
    expect(withoutSecrets(text)).toBe("<P_API_KEY>, <P_TOKEN>, <P_SECRET> and <P_API_KEY>");
  });

  it("leaves other texts alone, and texts too short to be keys", () => {
    vi.stubEnv("P_NAME", "an ordinary value");
    vi.stubEnv("P_API_KEY", "a");
    expect(withoutSecrets("an ordinary value")).toBe("an ordinary value");
  });

  it.each(WRITTEN)("removes the secret from %s", (text) => {
    expect(withoutSecrets(`before ${text} after`)).not.toContain("0a1B2c3D");
    expect(withoutSecrets(`before ${text} after`)).toMatch(/^before .* after$/);
    expect(holdsSecret(text)).toBe(true);
  });

  it.each([
    "https://example.com/a/b?page=2#part",
    "mail ada@example.com about risk-assessment-2024-and-beyond",
    "openai:gpt-4.1-mini",
    "ollama:qwen3:4b",
    "ft:gpt-4o-mini-2024-07-18:org::abc123",
    "the key is under the mat, the token ring is basic",
    "local:sentence-encoder",
  ])("leaves %s as it is", (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  it("handles long texts of any kind in a moment", () => {
    for (const part of ["a.", "a://", "sk-", "key=", "Bearer ", "@", "a:b@"]) {
      expect(withoutSecrets(`${part.repeat(100_000)} end`)).toMatch(/ end$/);
    }
  }, 20_000);
});

describe("An error", () => {
  it.each(WRITTEN)("has nothing of %s in its message or its details", (text) => {
    const errors = [
      new UnknownName({ kind: "model", wanted: text, available: [text] }),
      new InvalidSetting({ setting: text, problem: text, hint: text }),
      new ModelFailed({ model: text, problem: text }),
    ];
    for (const error of errors) {
      const all = JSON.stringify([error.message, error.stack, error.details]);
      expect(all).not.toContain("0a1B2c3D");
    }
  });

  it("that a tool throws is told to the model and saved without its secrets", () => {
    expect(thrownText(new Error(`no answer of postgres://ada:${SECRET}@db/prod`))).toBe(
      "Error: no answer of postgres://***@db/prod",
    );
  });
});

describe("A key given as a model's name", () => {
  it.each([SECRET, `openai:${SECRET}`, `https://ada:${SECRET}@example.com`])(
    "is refused without being shown",
    (model) => {
      for (const refuse of [
        () => parseModelSpec(model),
        () => parseSettings({ model }),
        () => parseSettings({ embeddings: model }),
      ]) {
        expect(refuse).toThrow(/key/);
        expect(refuse).not.toThrow(/0a1B2c3D/);
      }
    },
  );

  it("is refused if it is in the environment, in any form", () => {
    vi.stubEnv("SOME_API_KEY", "plainwordsasakey");
    expect(() => parseSettings({ model: "openai:plainwordsasakey" })).toThrow(/key/);
  });
});
