/**
 * The office catalog: calendar, emails, website analytics, project tasks, customers and the directory of a company whose
 * clock stands still. Its 27 tools have the names, parameters and behaviour of those in WorkBench (Styles et al. 2024,
 * arXiv:2405.00823), so that the benchmark runs on them.
 *
 * A call that cannot be carried out is answered in words; nothing is thrown. Differences from WorkBench: unknown fields and
 * traffic sources and invalid date bounds are always refused; ids never change; searches take their texts literally, not as
 * patterns; and an email sent after a deletion does not replace another one.
 */
export * from "./analytics.js";
export * from "./calendar.js";
export * from "./customers.js";
export * from "./directory.js";
export * from "./email.js";
export * from "./projectTasks.js";
