import { defineConfig } from 'vitest/config'

/** Only for `npm run conformance`; the tests of this repository run the suite in services/all/test. */
export default defineConfig({
  test: { include: ['src/run.ts'], testTimeout: 30_000, hookTimeout: 60_000, fileParallelism: false },
})
