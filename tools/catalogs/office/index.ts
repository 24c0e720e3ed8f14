/**
 * The office catalogue: calendar, emails, website analytics, project tasks, customers and the
 * directory of a company whose clock stands still. Its 27 tools have the names and parameters of
 * WorkBench (Styles et al. 2024, arXiv:2405.00823) and do what they do there, so that the benchmark
 * runs on them.
 *
 * What cannot be done is answered in words, never thrown. The differences from the origin: a field
 * that there is not is refused everywhere, and so are a date bound that is none and a traffic source
 * that is none; ids are never changed; searches take their texts as they stand, not as patterns; an
 * email that is sent after one was deleted takes nobody's place.
 */
export * from "./analytics.js";
export * from "./calendar.js";
export * from "./customers.js";
export * from "./directory.js";
export * from "./email.js";
export * from "./projectTasks.js";
