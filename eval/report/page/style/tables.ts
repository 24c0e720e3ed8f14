import { css } from "./css.js";

/** Tables: rules above and below, none between columns, figures of equal width. */
export const TABLES = css`
  .scroll {
    overflow-x: auto;
    margin: 0.75rem 0;
    max-width: 100%;
  }
  .scroll.tall {
    max-height: 26rem;
    overflow-y: auto;
  }
  .scroll.tall thead th {
    position: sticky;
    top: 0;
    background: var(--ground);
  }
  table {
    border-collapse: collapse;
    font-size: 0.8438rem;
    line-height: 1.35;
    font-variant-numeric: tabular-nums;
    border-bottom: 1.5px solid var(--ink);
    min-width: 100%;
  }
  caption {
    text-align: left;
    color: var(--muted);
    padding-bottom: 0.4rem;
  }
  thead th {
    vertical-align: bottom;
    border-top: 1.5px solid var(--ink);
    border-bottom: 1px solid var(--ink);
  }
  th,
  td {
    padding: 0.3rem 0.6rem;
    text-align: left;
    vertical-align: top;
    font-weight: 400;
  }
  thead th,
  .group th {
    font-weight: 600;
  }
  th:first-child,
  td:first-child {
    padding-left: 0.2rem;
  }
  td small,
  th small {
    display: block;
    font-size: 0.75rem;
    font-weight: 400;
  }
  td.number,
  thead th.number {
    text-align: right;
  }
  .prose {
    min-width: 14rem;
  }
  td.number {
    white-space: nowrap;
  }
  thead th small {
    max-width: 9rem;
  }
  thead th.number small {
    margin-left: auto;
  }
  tbody + tbody {
    border-top: 1px solid var(--rule);
  }
  .group th {
    padding-top: 0.7rem;
    color: var(--accent);
  }
  .published {
    color: var(--muted);
    font-style: italic;
  }
  tbody th {
    white-space: nowrap;
  }
  @media (max-width: 47rem) {
    tbody th {
      white-space: normal;
      min-width: 7.5rem;
    }
    #runs-table tbody th {
      min-width: 0;
    }
  }
  .published th,
  .published td {
    padding-top: 0;
  }
  tr.published th:first-child {
    padding-left: 1.2rem;
  }
`;
