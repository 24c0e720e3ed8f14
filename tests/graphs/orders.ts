import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { TEST_LIBRARY, importFixture } from "../fakes/testLibrary.js";

/** Settings of a run with the library of orders. */
export const ORDERS = { ...TEST_LIBRARY, library: "orders", threshold: 0 };

/**
 * Has the tests of a file work with the library of orders.
 *
 * @returns a function that names a log file for tools to write to, which is not there yet
 */
export function useOrders(): () => string {
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "orders-"));
    await importFixture({
      store: openWorkspace().store,
      settings: ORDERS,
      file: "tests/fixtures/orders/tools.ts",
      description: "Orders",
    });
  });

  afterAll(async () => {
    await closeWorkspaces();
    rmSync(folder, { recursive: true });
  });

  return () => join(folder, `${crypto.randomUUID()}.log`);
}
