import { readJson } from "../files.js";
import type { Chance } from "./chance.js";

/** A field in which people work or spend their time, and people who might ask for something in it. */
interface Domain {
  /** What the person is at, following "who". */
  field: string;
  /** Age, profession, education and hobbies of one person each. */
  people: readonly string[];
}

/**
 * Eighteen domains with five people each, as many as "AI Agent 007" has for its persona-based data; the
 * domains and people are this project's own.
 */
const DOMAINS = readJson(new URL("./domains.json", import.meta.url)) as readonly Domain[];

/** Draws a person who asks for something, and says in words who that is. */
export function drawPersona(chance: Chance): string {
  const domain = chance.pick(DOMAINS);
  const person = chance.pick(domain?.people ?? []) ?? "";
  return `somebody who ${domain?.field ?? ""}: ${person}`;
}
