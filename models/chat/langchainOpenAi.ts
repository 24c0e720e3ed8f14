// The build bundles these into this module (scripts/setup/build.mjs): with OpenAI's own client they are 230 files, which
// take longer to load than to use.
export { ChatOpenAI, ChatOpenAICompletions, OpenAIEmbeddings } from "@langchain/openai";
