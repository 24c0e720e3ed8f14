/**
 * The robot's catalog: a kitchen table with people, bottles and glasses, after the simulation of Tulip Agent (Ocker et al.
 * 2024, arXiv:2407.21778), with tools of the same names and parameters.
 *
 * Differences from the original: the world is data and arithmetic, without physics; look-ups return facts as data instead of
 * sentences, so that tools that models write can use them; and `pour_into` takes an optional amount. A call that cannot be
 * carried out is an error in one line and changes nothing.
 */
export * from "./lookups.js";
export * from "./moving.js";
export * from "./pouring.js";
export * from "./speech.js";
