import { localBus } from '../src/index.ts'
import { busSuite, SETTINGS } from './bus.suite.ts'

const bus = localBus(SETTINGS)

busSuite('local', async () => bus)
