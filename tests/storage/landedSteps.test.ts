import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { migrationSteps } from "../fakes/migrationSteps.js";

const LANDED = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "fixtures", "homes", "steps.json"), "utf8"),
) as Record<string, string[]>;

describe("the steps of a schema that a release has applied to homes", () => {
  it.each(Object.entries(LANDED))(
    "stay as they are, with new ones only behind them: %s",
    (name, landed) => {
      expect(migrationSteps()[name]?.slice(0, landed.length)).toEqual(landed);
    },
  );
});
