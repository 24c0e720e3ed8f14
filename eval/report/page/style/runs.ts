import { css } from "./css.js";

/** The list of runs and the dialog that shows one of them. */
export const RUNS = css`
  button,
  input,
  select {
    font: inherit;
    color: inherit;
    background: var(--raised);
    border: 1px solid var(--muted);
    border-radius: 3px;
    padding: 0.3rem 0.6rem;
    max-width: 100%;
  }
  button {
    cursor: pointer;
  }
  button:disabled {
    opacity: 0.45;
    cursor: default;
  }
  #run-filters {
    display: flex;
    flex-wrap: wrap;
    gap: 0.6rem 1rem;
    align-items: end;
    margin: 0.75rem 0;
  }
  #run-filters label {
    display: grid;
    font-size: 0.8125rem;
    color: var(--muted);
    min-width: 0;
  }
  #run-filters input,
  #run-filters select {
    color: var(--ink);
    font-size: 0.9375rem;
  }
  #run-filters label:first-child {
    flex: 1 1 14rem;
  }
  #runs-table th button {
    all: unset;
    cursor: pointer;
    font-weight: 600;
    white-space: nowrap;
  }
  #runs-table tbody th button {
    font-weight: 400;
    color: var(--accent);
    text-decoration: underline;
    text-underline-offset: 0.15em;
  }
  #runs-table th button:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  #runs-table [aria-sort] button::after {
    content: " ↑";
  }
  #runs-table [aria-sort="descending"] button::after {
    content: " ↓";
  }
  #runs-table tbody tr {
    cursor: pointer;
    border-top: 1px solid var(--rule);
  }
  #runs-table tbody tr:hover {
    background: var(--raised);
  }
  #runs-table td {
    white-space: nowrap;
  }
  .pages {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem;
    align-items: center;
  }
  dialog {
    margin: 0 0 0 auto;
    padding: 0;
    border: 0;
    border-left: 2px solid var(--accent);
    width: min(46rem, 100vw);
    max-width: none;
    height: 100dvh;
    max-height: none;
    background: var(--ground);
    color: var(--ink);
  }
  dialog[open] {
    display: flex;
    flex-direction: column;
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 0.45);
  }
  dialog header {
    display: flex;
    flex-wrap: wrap;
    gap: 0.4rem 0.6rem;
    align-items: center;
    padding: 0.75rem 1rem;
    border-bottom: 1px solid var(--rule);
  }
  dialog h2 {
    border: 0;
    margin: 0;
    padding: 0;
    font-size: 1.05rem;
    flex: 1 1 100%;
    overflow-wrap: anywhere;
  }
  #run-close {
    margin-left: auto;
  }
  #run-body {
    overflow-y: auto;
    padding: 0.5rem 1rem 3rem;
    min-height: 0;
  }
  .request,
  .answer {
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .request {
    font-family: Charter, "Bitstream Charter", Georgia, "Liberation Serif", serif;
    font-size: 1.05rem;
  }
  pre {
    margin: 0.2rem 0;
    padding: 0.35rem 0.6rem;
    background: var(--raised);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    font-size: 0.8125rem;
  }
  .search,
  .call {
    padding: 0.3rem 0;
    border-top: 1px solid var(--rule);
  }
  .hits {
    margin: 0.2rem 0;
    padding-left: 1.6rem;
    font-size: 0.8438rem;
  }
  .hits span.number {
    float: right;
    font-variant-numeric: tabular-nums;
  }
  .hits li {
    max-width: 26rem;
  }
  .depth-1 {
    margin-left: 1.25rem;
  }
  .depth-2 {
    margin-left: 2.5rem;
  }
  .depth-3 {
    margin-left: 3.75rem;
  }
  @media print {
    nav,
    #run-filters,
    .pages,
    dialog {
      display: none;
    }
  }
`;
