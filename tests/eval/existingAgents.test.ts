import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { compareAgents } from "../../eval/experiments/existingAgents/compareAgents.js";
import { defaultHome } from "../../workspace/workspace.js";

const FOLDER = "../shared/bench/tulip_math";

// Figures for the whole set are in docs/agents.md.
it.skipIf(!existsSync(FOLDER))(
  "an agent with our middleware does as much with fewer tokens than two others with search",
  async () => {
    const { agents } = await compareAgents({ folder: FOLDER, home: defaultHome(), limit: 15 });
    const [ours, ...others] = agents.map((each) => ({
      ...each,
      tokens: each.inputTokens + each.outputTokens,
    }));
    expect(others).toHaveLength(2);
    for (const { success, tokens } of others) {
      expect(ours?.success).toBeGreaterThanOrEqual(success);
      expect(ours?.tokens).toBeLessThan(tokens);
    }
  },
);
