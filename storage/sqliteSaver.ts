// The build puts the package's code in here (scripts/setup/build.mjs): beside it stands a database with a native part
// that npm would have to compile, and ours does without.
export { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
