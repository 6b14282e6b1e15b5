import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{libs,services,demo,deploy,tools}/**/*.test.ts'],
    globalSetup: ['./libs/testkit/src/setup.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
