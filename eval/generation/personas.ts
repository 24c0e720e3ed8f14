import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";
import type { Chance } from "./chance.js";

/** An occupation or pastime, with people who might ask for something. */
const domain = z.strictObject({
  /** What the person does, following "who". */
  field: z.string(),
  /** Age, profession, education and hobbies of one person each. */
  people: z.array(z.string()).length(5),
});

/** Eighteen domains with five people each, as many as in "AI Agent 007"; the domains and people are our own. */
const DOMAINS = readDataFile(new URL("domains.json", import.meta.url), z.array(domain).length(18));

/** Draws a person and describes them in words. */
export function drawPersona(chance: Chance): string {
  const domain = chance.pick(DOMAINS);
  const person = chance.pick(domain?.people ?? []) ?? "";
  return `somebody who ${domain?.field ?? ""}: ${person}`;
}
