import { readTarget } from './command/environment.ts'
import { conformance } from './suite.ts'

/** The file that vitest runs for `npm run conformance`. */
const target = readTarget(process.env)
conformance(() => target)
