import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { createToolSearch } from "tulipgraph";

const search = await createToolSearch({ library: "math" });
const agent = createAgent({
  model: new ChatOpenAI({ model: "gpt-4.1-mini" }),
  middleware: [search.middleware()],
});
const content = "What is the area of a circle with radius 3?";
const { messages } = await agent.invoke({ messages: [{ role: "user", content }] });
console.log(messages.at(-1)?.text);
