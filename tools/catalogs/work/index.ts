/**
 * The catalogue for work items: issues, tickets and tasks of a company that makes a product, with its
 * parts, sprints, customers and users. It is the kind of product that the report "AI Agent 007" plans
 * for; the nine tools of that report (`works_list` to `who_am_i`) have its names and arguments.
 *
 * Differences from the report, where the tools are only declared: all of them are carried out; objects are
 * handed on by their ids, so that every list of objects is an array of strings which any other tool takes;
 * and where the report has a model at work, stated rules are: summaries are put together from the fields,
 * priority is an order of fields, similarity is the overlap of words, and tasks are made from bullet points
 * or sentences. What cannot be done is an error in one line, and nothing has changed then.
 */
export * from "./agenda.js";
export * from "./changing.js";
export * from "./creating.js";
export * from "./customers.js";
export * from "./discussion.js";
export * from "./finding.js";
export * from "./links.js";
export * from "./lists.js";
export * from "./overview.js";
export * from "./parts.js";
export * from "./people.js";
export * from "./planning.js";
export * from "./sprints.js";
export * from "./time.js";
