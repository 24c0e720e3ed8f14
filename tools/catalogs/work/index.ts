/**
 * The catalog for work items: issues, tickets and tasks of a company that makes a product, with its parts, sprints,
 * customers and users. It is the kind of product for which the report "AI Agent 007" plans; the nine tools of that report
 * (`works_list` to `who_am_i`) have the report's names and arguments.
 *
 * The report only declares its tools; here all of them work. Objects are passed on by their ids, so every list of objects is
 * an array of strings that any other tool accepts. Where the report uses a model, fixed rules decide: summaries are assembled
 * from the fields, priority is an order of fields, similarity is the overlap of words, and tasks are made from bullet points
 * or sentences. A call that cannot be carried out is an error in one line and changes nothing.
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
export * from "./sprints.js";
export * from "./time.js";
