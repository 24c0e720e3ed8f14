/**
 * The robot's catalogue: a kitchen table with people, bottles and glasses, after the simulation of Tulip
 * Agent (Ocker et al. 2024, arXiv:2407.21778), with tools of the same names and parameters.
 *
 * Differences from the origin: the world is data and arithmetic, with no physics; looking things up gives
 * facts as data instead of sentences, so that tools that models write can work with them; and `pour_into`
 * may be told an amount. What cannot be done is an error in one line, and nothing has changed then.
 */
export * from "./lookups.js";
export * from "./moving.js";
export * from "./pouring.js";
export * from "./speech.js";
