import { describe, expect, it } from "vitest";
import { outOfReach, outOfReachText } from "../../../nodes/policy/outOfReach.js";
import { estimateTokens } from "../../../common/tokens.js";
import type { WithheldTool } from "../../../tools/library/records/pins.js";

function withheld(name: string, more: Partial<WithheldTool> = {}): WithheldTool {
  const tool = { id: `github.${name}`, name } as WithheldTool["tool"];
  return { origin: "mcp:github", tool, hash: "", at: "2026-11-01", rejected: false, ...more };
}

const library = (...tools: WithheldTool[]) => ({ withheld: () => tools, size: 12 });

describe("what a run cannot reach", () => {
  it("is told by source with the reason, in some ten tokens each", () => {
    const lines = outOfReach(
      library(
        withheld("create_issue"),
        withheld("close_issue"),
        withheld("delete_repo", { isUnoffered: true }),
        withheld("spam", { rejected: true }),
      ),
      {},
    );
    expect(lines).toEqual([
      "create_issue, close_issue of github: withheld until a person has reviewed them",
      "delete_repo of github: not granted to this person",
      "spam of github: rejected by a person",
    ]);
    for (const line of lines) expect(estimateTokens(line)).toBeLessThanOrEqual(20);
  });

  it("includes how many tools the run was not granted", () => {
    expect(outOfReach(library(), { toolIds: ["a", "b"] })).toEqual([
      "10 other tools: not granted to this run",
    ]);
  });

  it("counts no tools that the run was not granted before something was missed", () => {
    expect(outOfReach(library(), { toolIds: ["a", "b"], isCounted: false })).toEqual([]);
  });

  it("is nothing where everything is within reach", () => {
    expect(outOfReachText(library(), {})).toBe("");
  });
});
