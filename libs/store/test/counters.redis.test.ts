import '@callboard/testkit'
import { describe, inject, test } from 'vitest'
import { redisCounters } from '../src/index.ts'
import { countersSuite } from './counters.suite.ts'

const url = inject('redisUrl')

if (url) countersSuite('redis', () => redisCounters(url, () => {}))
else describe('counters in redis', () => test.skip(`not run: ${inject('absent').redis}`, () => {}))
