import { css } from "./css.js";

/**
 * Colours of the light and the dark scheme: text has a contrast of at least 4.5 to 1 with what it
 * stands on, the series of charts have 3 to 1, and hues that some eyes take for one another differ
 * in lightness too.
 */
export const COLOURS = css`
  :root {
    color-scheme: light dark;
    --ground: #fcfbf8;
    --raised: #f3f1eb;
    --ink: #20242a;
    --muted: #5d6470;
    --rule: #d9d5cb;
    --accent: #a3244f;
    --good: #1b6b45;
    --bad: #a8321f;
    --warning: #fbeec9;
    --series-1: #2b6cb0;
    --series-2: #c2591b;
    --series-3: #14805e;
    --series-4: #8d4f9f;
    --series-5: #917000;
    --series-6: #5c6675;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #15181d;
      --raised: #1f242b;
      --ink: #e4e6e9;
      --muted: #a0a8b3;
      --rule: #363d47;
      --accent: #f08aac;
      --good: #6fcf9f;
      --bad: #f59c88;
      --warning: #3f3514;
      --series-1: #7db4f2;
      --series-2: #f19a62;
      --series-3: #55c7a1;
      --series-4: #cfa3e4;
      --series-5: #dfba55;
      --series-6: #a9b3c0;
    }
  }
`;
