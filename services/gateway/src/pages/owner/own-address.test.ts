import { expect, test } from 'vitest'
import { ownAddress } from './own-address.ts'

const OURS = 'http://127.0.0.1:8402'
const LINK = '/link?user_code=BCDF-GHJK'

test.each([
  ['localhost:8402', OURS, `${OURS}${LINK}`],
  ['LOCALHOST:8402', OURS, `${OURS}${LINK}`],
  ['[::1]:8402', OURS, `${OURS}${LINK}`],
  ['127.0.0.1:8402', 'http://localhost:8402', `http://localhost:8402${LINK}`],
  ['localhost', 'http://127.0.0.1', `http://127.0.0.1${LINK}`],
])('default: %s belongs to %s', (host, origin, address) => {
  expect(ownAddress(LINK, host, origin)).toBe(address)
})

test.each([
  ['it is there', '127.0.0.1:8402', OURS],
  ['a port that was forwarded: the same machine is not known', 'localhost:9000', OURS],
  ['another host than this machine', 'callboard.example:8402', OURS],
  ['a public instance, whose proxy may ask by another name', 'localhost', 'https://callboard.example'],
  ['no name at all', undefined, OURS],
  ['what is no name', 'a b', OURS],
])('behavior: the request stays where it is: %s', (_why, host, origin) => {
  expect(ownAddress(LINK, host, origin)).toBeUndefined()
})
