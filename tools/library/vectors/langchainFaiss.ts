// The build bundles these into this module (scripts/setup/build.mjs), without what LangChain's core and FAISS bring: the
// package of which they are a part would drag 138 others into every installation, and a second Zod.
export { SynchronousInMemoryDocstore } from "@langchain/classic/stores/doc/in_memory";
export { FaissStore } from "@langchain/community/vectorstores/faiss";
