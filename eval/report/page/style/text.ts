import { css } from "./css.js";

/** Letters and the flow of text. */
export const TEXT = css`
  * {
    box-sizing: border-box;
  }
  html {
    -webkit-text-size-adjust: 100%;
  }
  body {
    margin: 0 auto;
    padding: 1.5rem 1rem 5rem;
    max-width: 70rem;
    background: var(--ground);
    color: var(--ink);
    font-size: 0.9375rem;
    line-height: 1.5;
    font-family: -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    overflow-wrap: break-word;
  }
  h1,
  h2 {
    font-family: Charter, "Bitstream Charter", Georgia, "Liberation Serif", serif;
    font-weight: 600;
  }
  h1 {
    font-size: 1.9rem;
    line-height: 1.15;
    margin: 0 0 0.25rem;
  }
  h2 {
    font-size: 1.3rem;
    margin: 3rem 0 0.5rem;
    padding-top: 0.6rem;
    border-top: 2px solid var(--ink);
  }
  h3 {
    font-size: 0.9375rem;
    margin: 1.5rem 0 0.4rem;
  }
  p {
    margin: 0.4rem 0;
    max-width: 44rem;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }
  .muted,
  small {
    color: var(--muted);
  }
  .kicker {
    color: var(--accent);
    font-weight: 600;
    margin: 0;
  }
  .warning {
    background: var(--warning);
    padding: 0.35rem 0.75rem;
    margin: 0;
    border-left: 3px solid var(--accent);
  }
  summary {
    cursor: pointer;
  }
  details {
    margin-top: 0.75rem;
  }
  .good {
    color: var(--good);
  }
  .bad {
    color: var(--bad);
  }
  nav ul {
    display: flex;
    flex-wrap: wrap;
    gap: 0.2rem 1.1rem;
    padding: 0;
    margin: 1rem 0 0;
    list-style: none;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr));
    gap: 0.35rem 1.5rem;
    margin: 1rem 0;
  }
  .facts.scores {
    grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr));
  }
  .facts div {
    min-width: 0;
  }
  .facts .long {
    grid-column: 1 / -1;
  }
  .facts dt {
    color: var(--muted);
    font-size: 0.8125rem;
  }
  .facts dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`;
