// npm runs this after `npm ci` in a checkout. An image that is built by it, such as LangGraph's own, says in
// TULIPGRAPH_FAISS how to get the binding of FAISS; elsewhere the first start sets up what is missing.
import "../bin/check-node.mjs";

if (process.env.TULIPGRAPH_FAISS) void setUpFaiss();

async function setUpFaiss() {
  const { setUpOrExplain } = await import("./setup.mjs");
  const { faissStep } = await import("./setup/faiss.mjs");
  if (!(await setUpOrExplain({ steps: [faissStep] }))) process.exitCode = 2;
}
