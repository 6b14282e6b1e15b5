import { localBus } from '../src/index.ts'
import { localWire } from '../src/local-wire.ts'
import { afterCloseSuite } from './after-close.suite.ts'
import { busSuite, SETTINGS } from './bus.suite.ts'
import { deliveredSuite } from './delivered.suite.ts'
import { joinedChunksSuite } from './joined-chunks.suite.ts'
import { LARGE, largeRequestsSuite } from './large-requests.suite.ts'
import { silentSidesSuite } from './silent-sides.suite.ts'

const bus = localBus(SETTINGS)

busSuite('local', async () => bus)

const streaming = localBus(SETTINGS)
deliveredSuite('local', async () => streaming, SETTINGS.heartbeat.idleTimeoutMs)

const large = localBus(LARGE)
largeRequestsSuite('local', async () => large)

silentSidesSuite('local', async () => localWire())

joinedChunksSuite('local', async () => localWire())

afterCloseSuite('local', async () => {
  const wire = localWire()
  return [wire, wire]
})
