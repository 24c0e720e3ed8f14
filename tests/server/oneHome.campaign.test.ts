import { resolve } from "node:path";
import { expect, it } from "vitest";
import { homeCampaign } from "../campaigns/homeCampaign.js";
import { newHome } from "../fakes/homes.js";

/** The short form of tests/campaigns/oneHome.ts. */
it("a home that a server, open libraries and every command that writes use at once is kept whole", async () => {
  const kept = await homeCampaign({
    root: resolve("."),
    folder: newHome(),
    seconds: 60,
    commandLines: 3,
  });
  expect(kept).toMatchObject({
    damaged: [],
    lost: [],
    doubled: [],
    removed: [],
    unseen: [],
    opened: [],
    errors: [],
  });
  expect(kept.commands).toBeGreaterThan(10);
});
