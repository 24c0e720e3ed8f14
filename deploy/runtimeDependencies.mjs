// Rewrites the package.json of the current folder, so that `npm prune` leaves only what a server runs with: the
// dependencies, and the optional peers that are installed, without packages that only compile or test. It is meant for
// images; in a checkout it would remove the development tools.
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
