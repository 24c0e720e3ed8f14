// Part of `prepack`: package.json says where the project lives if the `project.json` of a release does.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const NAMED = ["repository", "homepage", "bugs"];

if (existsSync("project.json")) {
  const project = JSON.parse(readFileSync("project.json", "utf8"));
  const own = JSON.parse(readFileSync("package.json", "utf8"));
  const named = NAMED.filter((name) => project[name] !== undefined);
  for (const name of named) own[name] = project[name];
  if (named.length > 0) writeFileSync("package.json", `${JSON.stringify(own, null, 2)}\n`);
}
