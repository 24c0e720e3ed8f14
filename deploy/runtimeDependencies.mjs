// Rewrites the package.json of the current folder, so that `npm prune` leaves only what a server runs with: the
// dependencies and the optional peers, without packages that only build or test. It is meant for images; in a checkout it
// would remove the development tools.
import { readFileSync, writeFileSync } from "node:fs";

const {
  devDependencies,
  peerDependencies,
  peerDependenciesMeta: _meta,
  ...kept
} = JSON.parse(readFileSync("package.json", "utf8"));
const peers = Object.keys(peerDependencies).map((name) => [name, devDependencies[name]]);
const dependencies = { ...kept.dependencies, ...Object.fromEntries(peers) };
writeFileSync("package.json", `${JSON.stringify({ ...kept, dependencies }, null, 2)}\n`);
