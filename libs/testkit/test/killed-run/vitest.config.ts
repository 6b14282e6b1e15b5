import { defineConfig } from 'vitest/config'

/** A separate run, for `killed-run.test.ts` to kill. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    globalSetup: ['../../src/setup.ts'],
    include: ['waits.ts'],
    testTimeout: 600_000,
  },
})
