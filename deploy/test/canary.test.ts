import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fund } from '@callboard/conformance/chain'
import { freePort } from '@callboard/embedded'
import { temporaryFolder } from '@callboard/testkit/folder'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { findHelm } from '../../helm/src/chart.ts'
import { environment, Instance } from '../../services/all/test/instance.ts'
import { DEPLOY } from './compose-file.ts'

/**
 * A fake helm: records each command but the reading of revisions, which a command that is begun raises by one. It fails
 * commands that start with `HELM_FAILS`, refuses those of `HELM_REFUSES` before they are a revision, finds no release in
 * those of `HELM_MISSES`, and hangs in those of `HELM_HANGS`. It knows no option that the real one does not know.
 */
const HELM = `#!/usr/bin/env bash
"\${REAL_HELM:-true}" "$@" --help > /dev/null || exit 1
revision=$(cat "$HELM_LOG.revision" 2> /dev/null || echo 7)
[ "$1" = history ] && { printf -- '- chart: callboard\n  revision: %s\n' "$revision"; exit 0; }
echo "$*" >> "$HELM_LOG"
case "$*" in "\${HELM_REFUSES:-none}"*) exit 1;; esac
case "$*" in "upgrade cb "*) echo "$((revision + 1))" > "$HELM_LOG.revision";; esac
case "$*" in "\${HELM_FAILS:-none}"*) exit 1;; esac
case "$*" in "\${HELM_MISSES:-none}"*) echo 'Error: uninstall: Release not loaded: release: not found' >&2; exit 1;; esac
case "$*" in "\${HELM_HANGS:-none}"*) exec sleep 100;; esac
[ "$1" = get ] && echo 'settings: {}'
exit 0
`
const DIGEST = `sha256:${'ab'.repeat(32)}`
const instance = new Instance()
const folder = temporaryFolder('callboard-canary-')
const log = join(folder, 'helm.log')
const key = generatePrivateKey()

beforeAll(async () => {
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/helm'), HELM)
  chmodSync(join(folder, 'bin/helm'), 0o755)
  await instance.start()
  await fund(instance.devnet, privateKeyToAddress(key), { usdc: 1_000_000n })
}, 120_000)
beforeEach(() => {
  for (const file of [log, `${log}.revision`]) rmSync(file, { force: true })
})
afterAll(async () => {
  await instance.dispose()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Runs the canary.
 * @param ends whether it is told to end by a signal, which is asked again and again
 * @returns its exit code and helm's verbs with their release, in order
 */
async function canary(more: Record<string, string> = {}, ends: (lines: readonly string[]) => boolean = () => false) {
  const env = {
    ...environment(),
    PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
    HELM_LOG: log,
    REAL_HELM: findHelm() ?? '',
    CALLBOARD: `${process.execPath} ${join(inject('programs'), 'callboard.mjs')}`,
    CALLBOARD_CONFIG_DIR: folder,
    CALLBOARD_AGENT_KEY: key,
    ASSET: `${instance.devnet.network}/${instance.devnet.usdc.address}`,
    ...{ RELEASE: 'cb', DIGEST, CANARY_URL: instance.baseUrl, PUBLIC_URL: instance.baseUrl },
    ...{ CALLS: '2', PAUSE_SECONDS: '0', ...more },
  }
  const child = spawn('bash', [join(DEPLOY, 'canary/canary.sh')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const read = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [])
  const looking = setInterval(() => ends([...read(), said]) && child.kill('SIGTERM'), 100)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(looking)
  const lines = read()
  return {
    code,
    said,
    lines,
    verbs: lines.map((line) => line.replace('--install ', '').split(' ').slice(0, 2).join(' ')),
  }
}

test('calls are bought from the canary, the release takes its image, and another call is bought', async () => {
  const { code, said, lines, verbs } = await canary()
  expect(code, said).toBe(0)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'upgrade cb', 'uninstall cb-canary'])
  for (const line of lines.slice(1, 3)) expect(line).toContain(`image.digest=${DIGEST}`)
  const own = `--values ${join(DEPLOY, 'canary/values.yaml')}`
  expect(lines.map((line) => line.includes(own))).toEqual([false, true, false, false])
  expect(said.match(/"state":\s*"settled"/g)).toHaveLength(3)
})

test('a canary from which no call can be bought is removed, and the release stays unchanged', async () => {
  const { code, verbs } = await canary({ CANARY_URL: `http://127.0.0.1:${await freePort()}` })
  expect(code).toBe(1)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'uninstall cb-canary'])
})

test('a canary that does not become ready is removed', async () => {
  const { code, verbs } = await canary({ HELM_FAILS: 'upgrade --install cb-canary' })
  expect(code).toBe(1)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'uninstall cb-canary'])
})

test.each([
  ['from which no call can be bought with the image', { PUBLIC_URL: 'http://127.0.0.1:9' }],
  ['that does not become ready with the image', { HELM_FAILS: 'upgrade cb ' }],
])('a release %s is rolled back to the revision that served', async (_, more) => {
  const { code, lines, verbs } = await canary(more)
  expect(code).toBe(1)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'upgrade cb', 'rollback cb', 'uninstall cb-canary'])
  expect(lines[3]).toMatch(/^rollback cb 7 /)
})

test('a release whose upgrade helm refuses stays as it is, and does not go back one revision further', async () => {
  const { code, verbs } = await canary({ HELM_REFUSES: 'upgrade cb ' })
  expect(code).toBe(1)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'upgrade cb', 'uninstall cb-canary'])
})

test('a release that cannot go back is reported as such', async () => {
  const { code, said } = await canary({ PUBLIC_URL: 'http://127.0.0.1:9', HELM_FAILS: 'rollback' })
  expect(code).toBe(3)
  expect(said).toContain('cb could not go back')
})

test('a canary that cannot be removed is reported as such; one that there is not needs no removal', async () => {
  const CANARY_URL = `http://127.0.0.1:${await freePort()}`
  const stays = await canary({ CANARY_URL, HELM_FAILS: 'uninstall' })
  expect(stays.code).toBe(3)
  expect(stays.said).toContain('cb-canary could not be removed')
  const absent = await canary({ HELM_REFUSES: 'upgrade --install cb-canary', HELM_MISSES: 'uninstall' })
  expect({ code: absent.code, said: absent.said }).toEqual({ code: 1, said: 'The canary starts beside cb.\n' })
})

test('a signal while the release takes the image brings the old one back, without waiting for helm', async () => {
  const { code, lines, verbs } = await canary({ HELM_HANGS: 'upgrade cb ' }, (lines) =>
    lines.some((line) => line.startsWith('upgrade cb ')),
  )
  expect(code).toBe(1)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'upgrade cb', 'rollback cb', 'uninstall cb-canary'])
  expect(lines[3]).toMatch(/^rollback cb 7 /)
})

test('a signal between two calls removes the canary, without waiting for the next one', async () => {
  const { code, verbs } = await canary({ PAUSE_SECONDS: '100' }, (lines) => lines.join().includes('"settled"'))
  expect(code).toBe(1)
  expect(verbs).toEqual(['get values', 'upgrade cb-canary', 'uninstall cb-canary'])
})

test('nothing starts if a setting is missing', async () => {
  const { code, said, verbs } = await canary({ DIGEST: '' })
  expect({ code, verbs }).toEqual({ code: 2, verbs: [] })
  expect(said).toContain('DIGEST is not set')
})
