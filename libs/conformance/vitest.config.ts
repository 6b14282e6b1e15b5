import { defineConfig } from 'vitest/config'

/**
 * Only for `npm run conformance`; the tests of this repository run the suite in services/all/test. A test may wait as long
 * as an instance's default limits make it, which is no failure.
 */
export default defineConfig({
  test: { include: ['src/run.ts'], testTimeout: 180_000, hookTimeout: 60_000, fileParallelism: false },
})
