// The build bundles the package into this module (scripts/setup/build.mjs), because the package itself depends on a
// database driver that npm would have to compile.
export { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
