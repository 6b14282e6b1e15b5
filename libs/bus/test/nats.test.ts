import '@callboard/testkit'
import { describe, inject, test } from 'vitest'
import { natsBus } from '../src/index.ts'
import { busSuite } from './bus.suite.ts'

const url = inject('natsUrl')

if (url) busSuite('nats', () => natsBus(url, 'suite', { backoff: [20, 40, 60] }))
else describe('bus on nats', () => test.skip(`not run: ${inject('absent').nats}`, () => {}))
