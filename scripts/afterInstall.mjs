// npm runs this after an installation in a checkout, as its script `dependencies`: of a package, npm would offer a script
// `prepare` to those who install it. An image that is built by `npm ci`, such as LangGraph's own, says in
// TULIPGRAPH_FAISS how to get the binding of FAISS; elsewhere the first start sets up what is missing.
import "../bin/check-node.mjs";

if (process.env.TULIPGRAPH_FAISS) void setUpFaiss();

async function setUpFaiss() {
  const { setUpOrExplain } = await import("./setup.mjs");
  const { faissStep } = await import("./setup/faiss.mjs");
  if (!(await setUpOrExplain({ steps: [faissStep] }))) process.exitCode = 2;
}
