import { css } from "./css.js";

/** Charts, and which of the drawings for wide and narrow pages is seen. */
export const CHARTS = css`
  figure {
    margin: 0;
    min-width: 0;
  }
  figcaption {
    font-size: 0.8438rem;
    color: var(--muted);
    margin-bottom: 0.2rem;
  }
  svg {
    display: block;
    max-width: 100%;
    height: auto;
    font-family: inherit;
  }
  .panels {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr));
    gap: 1.25rem;
  }
  .narrow {
    display: none;
  }
  @media (max-width: 47rem) {
    .wide {
      display: none;
    }
    .narrow {
      display: block;
    }
  }
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1rem;
    padding: 0;
    margin: 0.4rem 0;
    list-style: none;
    font-size: 0.8125rem;
  }
  .key {
    columns: 26rem;
    column-gap: 2rem;
    margin: 0.5rem 0;
    padding-left: 1.6rem;
    font-size: 0.8125rem;
  }
  .legend i {
    display: inline-block;
    width: 0.75rem;
    height: 0.75rem;
    margin-right: 0.4rem;
    vertical-align: -0.06rem;
  }
`;
