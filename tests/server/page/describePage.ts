import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { executablePath, openPage, startBrowser } from "./browserPage.js";
import { type ServedPage, type Serving, servePage } from "./servedPage.js";

/** A browser in front of a server. */
export interface Stage {
  folder: string;
  home: string;
  browser: Browser;
  server: ServedPage;
  /** Opens the page, until the end of the test. */
  open: (options?: Partial<Parameters<typeof openPage>[0]>) => Promise<Page>;
  /** What went wrong in the pages of the test: see `openPage`. */
  problems: string[];
}

/**
 * Describes something that is seen in a browser. It is skipped where there is none.
 *
 * @param prepare what is done in the home before the server starts, and how it is started
 */
export function describePage(
  name: string,
  tests: (stage: Stage) => void,
  prepare: (
    place: Pick<Stage, "folder" | "home">,
  ) => Promise<Omit<Serving, "home">> = async () => ({}),
): void {
  describe.skipIf(!executablePath)(`${name} (skipped where there is no chromium)`, () => {
    const folder = mkdtempSync(join(tmpdir(), "tulipgraph-page-"));
    const home = join(folder, "home");
    let pages: Page[] = [];
    const stage = { folder, home, problems: [] } as unknown as Stage;
    stage.open = async (options = {}) => {
      const { page } = await openPage({
        browser: stage.browser,
        url: stage.server.url,
        problems: stage.problems,
        ...options,
      });
      pages.push(page);
      return page;
    };

    beforeAll(async () => {
      stage.server = await servePage({ home, ...(await prepare({ folder, home })) });
      stage.browser = await startBrowser();
    });

    afterEach(async () => {
      await Promise.all(pages.map((page) => page.close()));
      pages = [];
      stage.problems = [];
    });

    afterAll(async () => {
      await stage.browser.close();
      await stage.server.close();
      await closeWorkspaces();
      rmSync(folder, { recursive: true, force: true });
    });

    tests(stage);
  });
}
