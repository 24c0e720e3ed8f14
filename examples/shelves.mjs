// An MCP server of two tools, for docs/start.md: node shelves.mjs
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const books = [
  { id: 1, title: "Emma", shelf: 3 },
  { id: 2, title: "Walden", shelf: 4 },
];
const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });

serveStdio(() => {
  const server = new McpServer({ name: "shelves", version: "1.0.0" });
  server.registerTool(
    "list_books",
    {
      description: "List all books, each with its shelf.",
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    async () => text(books),
  );
  server.registerTool(
    "move_book",
    {
      description: "Move a book to another shelf.",
      inputSchema: z.object({
        book: z.int().describe("Id of the book"),
        shelf: z.int().describe("Number of the shelf"),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    async ({ book, shelf }) => {
      const moved = books.find(({ id }) => id === book);
      if (!moved) return { ...text(`there is no book ${book}`), isError: true };
      return text(Object.assign(moved, { shelf }));
    },
  );
  return server;
});
