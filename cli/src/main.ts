#!/usr/bin/env node
import module from 'node:module'

// Caches compiled code where Node can (22.8 and newer): a command starts in half the time.
module.enableCompileCache?.()
const { run } = await import('./run.ts')
await run(process.argv.slice(2))
