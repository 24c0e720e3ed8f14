// Rewrites package.json of the folder it is called in, so that `npm prune` leaves what a server runs with: the
// dependencies, and those optional peers that are installed, without what only compiles or tests. For images;
// in a checkout it would take away the tools of development.
import { readFileSync, writeFileSync } from "node:fs";

/** Peers that only fetch or compile the binding of FAISS. */
const FOR_BUILDING = ["node-addon-api", "node-api-headers", "prebuild-install"];

const {
  devDependencies,
  peerDependencies,
  peerDependenciesMeta: _meta,
  ...kept
} = JSON.parse(readFileSync("package.json", "utf8"));
const peers = Object.keys(peerDependencies).filter(
  (name) => name in devDependencies && !FOR_BUILDING.includes(name),
);
const dependencies = {
  ...kept.dependencies,
  ...Object.fromEntries(peers.map((name) => [name, devDependencies[name]])),
};
writeFileSync("package.json", `${JSON.stringify({ ...kept, dependencies }, null, 2)}\n`);
