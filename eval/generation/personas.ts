import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";
import type { Chance } from "./chance.js";

/** A field in which people work or spend their time, and people who might ask for something in it. */
const domain = z.strictObject({
  /** What the person is at, following "who". */
  field: z.string(),
  /** Age, profession, education and hobbies of one person each. */
  people: z.array(z.string()).length(5),
});

/**
 * Eighteen domains with five people each, as many as "AI Agent 007" has for its persona-based data; the
 * domains and people are this project's own.
 */
export const DOMAINS = readDataFile(
  new URL("domains.json", import.meta.url),
  z.array(domain).length(18),
);

/** Draws a person who asks for something, and says in words who that is. */
export function drawPersona(chance: Chance): string {
  const domain = chance.pick(DOMAINS);
  const person = chance.pick(domain?.people ?? []) ?? "";
  return `somebody who ${domain?.field ?? ""}: ${person}`;
}
