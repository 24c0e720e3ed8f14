import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";
import { LONGEST_PHRASE, beginning } from "../common/bounds.js";
import { toolText } from "../tools/library/vectors/embedding.js";
import type { Toolbox } from "./toolbox.js";

/** Finds the tools for a request as documents, for chains that use a retriever. */
export class ToolRetriever extends BaseRetriever {
  override lc_namespace = ["tulipgraph", "retrievers"];

  constructor(private readonly toolbox: Toolbox) {
    super();
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const found = await this.toolbox.find([beginning(query, LONGEST_PHRASE)]);
    return found.flatMap(({ tools }) =>
      tools.map(({ record, distance, score }) => {
        const { id, name, description, parameters, effects, provider, category } = record;
        const metadata = { id, name, description, parameters, effects, provider, category };
        return new Document({
          id,
          pageContent: toolText(record),
          metadata: { ...metadata, distance, score },
        });
      }),
    );
  }
}
