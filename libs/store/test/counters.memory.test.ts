import { memoryCounters } from '../src/index.ts'
import { countersSuite } from './counters.suite.ts'

const shared = memoryCounters()

countersSuite('memory', () => shared)
