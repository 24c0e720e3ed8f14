import type { Page } from "playwright-core";

/** Scrolls through the whole page and returns the longest time between two frames (ms). */
export async function slowestFrame(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    let slowest = 0;
    let before = await new Promise<number>(requestAnimationFrame);
    for (let step = 0; step < 200; step++) {
      const bottom = window.scrollY;
      window.scrollBy(0, 120);
      const now = await new Promise<number>(requestAnimationFrame);
      slowest = Math.max(slowest, now - before);
      before = now;
      if (step > 20 && window.scrollY === bottom) window.scrollTo(0, 0);
    }
    return slowest;
  });
}
