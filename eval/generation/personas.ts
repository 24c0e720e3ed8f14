import type { Chance } from "./chance.js";
import { DOMAINS } from "./domains.js";

/** Draws a person who asks for something, and says in words who that is. */
export function drawPersona(chance: Chance): string {
  const domain = chance.pick(DOMAINS);
  const person = chance.pick(domain?.people ?? []) ?? "";
  return `somebody who ${domain?.field ?? ""}: ${person}`;
}
