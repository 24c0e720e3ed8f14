import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    maxWorkers: 2,
    include: ["tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", "tests/fixtures/**"],
    setupFiles: ["tests/setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
