import { Hono } from "hono";
import type { Environment, Server } from "../server.js";

/** The page for people: what waits for approval, runs, search, keys and spend. */
export function consolePage(_server: Server): Hono<Environment> {
  return new Hono<Environment>();
}
