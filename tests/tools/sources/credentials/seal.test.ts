import { randomBytes } from "node:crypto";
import { expect, it, vi } from "vitest";
import {
  masterKeys,
  opened,
  sealed,
  sealedAnew,
} from "../../../../tools/sources/credentials/masterKeys.js";

function keysOf(...texts: readonly string[]) {
  vi.stubEnv("TULIPGRAPH_KEY", texts.join(" "));
  return masterKeys({ home: "unused" });
}

const newKey = () => randomBytes(32).toString("base64");

it("opens for what it was sealed for, and for nothing else", () => {
  const keys = keysOf(newKey());
  const box = sealed("a secret", "ada's", keys);
  expect(box).not.toContain("secret");
  expect(opened(box, "ada's", keys)).toBe("a secret");
  expect(() => opened(box, "eve's", keys)).toThrow(/was changed, or belongs elsewhere/);
  const changed = box.slice(0, -1) + (box.endsWith("A") ? "B" : "A");
  expect(() => opened(changed, "ada's", keys)).toThrow(/was changed/);
  expect(sealed("a secret", "ada's", keys)).not.toBe(box);
});

it("is sealed anew with a new key, and the old one opens it until then", () => {
  const [old, young] = [newKey(), newKey()];
  const box = sealed("a secret", "ada's", keysOf(old));
  const both = keysOf(young, old);
  expect(opened(box, "ada's", both)).toBe("a secret");
  const anew = sealedAnew(box, "ada's", both) ?? "";
  expect(opened(anew, "ada's", keysOf(young))).toBe("a secret");
  expect(sealedAnew(anew, "ada's", both)).toBeUndefined();
  expect(() => opened(anew, "ada's", keysOf(old))).toThrow(/Add the old key after the new one/);
});

it("needs a key of 32 bytes, which in a database nobody makes unasked", () => {
  expect(() => keysOf("short")).toThrow(/not 32 bytes in base64 or hexadecimal/);
  expect(keysOf(randomBytes(32).toString("hex"))).toHaveLength(1);
  vi.stubEnv("TULIPGRAPH_KEY", "");
  const place = { home: "unused", url: "postgres://nowhere/db" };
  expect(() => masterKeys(place)).toThrow(/TULIPGRAPH_KEY.*is not set.*openssl rand/);
});

it("says what to set where a user has no folder for it", () => {
  vi.stubEnv("TULIPGRAPH_KEY", undefined);
  vi.stubEnv("XDG_CONFIG_HOME", "/dev/null/none");
  expect(() => masterKeys({ home: "unused" })).toThrow(
    /^\/dev\/null\/none\/tulipgraph\/key: the key for secrets cannot be made \((?:EEXIST|ENOTDIR).*Set XDG_CONFIG_HOME/,
  );
});
