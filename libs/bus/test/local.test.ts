import { localBus } from '../src/index.ts'
import { busSuite } from './bus.suite.ts'

const bus = localBus({ backoff: [20, 40, 60] })

busSuite('local', async () => bus)
