import { describe, expect, it } from "vitest";
import type { runCommand } from "../../scripts/setup/command.mjs";
import { NEEDS, supplyPackage } from "../../scripts/testing/supply-package.mjs";
import { temporaryFolder } from "./workplace.js";

type Command = Parameters<typeof runCommand>[0];

/** The message on a machine without a browser whose commands end like this, and the commands that ran. */
async function supplied(isRoot: boolean, codes: Record<string, number> = {}) {
  const commands: string[] = [];
  const problem = await supplyPackage(NEEDS.browser, {
    root: temporaryFolder(),
    env: { PATH: temporaryFolder() },
    quiet: true,
    isRoot,
    run: async ({ args }: Command) => {
      const verb = args.find((word) => /^(--version|update|install)$/.test(word)) ?? "";
      commands.push(verb);
      return { code: codes[verb] ?? 0, output: "E: no such package", timedOut: false };
    },
  });
  return { problem, commands };
}

describe("the browser for the tests", () => {
  it("is installed by root", async () => {
    expect(await supplied(true)).toEqual({
      problem: "",
      commands: ["--version", "update", "install"],
    });
  });

  it("is asked for if nobody may install it", async () => {
    expect(await supplied(false)).toEqual({
      problem: "install Debian's chromium, or name a browser in TULIPGRAPH_CHROMIUM",
      commands: [],
    });
  });
});
