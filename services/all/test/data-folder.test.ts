import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { temporaryFolder } from '@callboard/testkit/folder'
import { afterAll, describe, expect, test } from 'vitest'
import { keptSecrets, readInstance, SECRETS } from '../src/data-folder.ts'

const MODULE = pathToFileURL(join(import.meta.dirname, '../src/data-folder.ts')).href
const folder = temporaryFolder('callboard-data-')
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a line of code that uses the module in a process that can write nothing to a file, as on a full disk. */
const onFullDisk = (code: string) =>
  spawnSync('bash', ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, code], {
    encoding: 'utf8',
  })

describe('a full disk', () => {
  test('leaves the secrets of an instance as they were when a newer version adds its own', () => {
    const path = join(folder, 'secrets.json')
    writeFileSync(path, JSON.stringify({ LINK_SIGNING_KEY: 'kept' }))
    const { status, stderr } = onFullDisk(
      `const { keptSecrets } = await import('${MODULE}'); keptSecrets(${JSON.stringify(folder)})`,
    )
    expect(status, stderr).not.toBe(0)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ LINK_SIGNING_KEY: 'kept' })
    expect(keptSecrets(folder)).toMatchObject({ LINK_SIGNING_KEY: 'kept' })
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8'))).toSorted()).toEqual([...SECRETS].toSorted())
  })

  test('leaves what commands read of the last instance', () => {
    const last = { pid: 1, baseUrl: 'http://127.0.0.1:1', adminUrl: 'http://127.0.0.1:2', env: {} }
    writeFileSync(join(folder, 'instance.json'), JSON.stringify(last))
    onFullDisk(
      `const { writeInstance } = await import('${MODULE}'); writeInstance(${JSON.stringify(folder)}, ${JSON.stringify({ ...last, pid: 3 })})`,
    )
    expect(readInstance(folder)).toEqual(last)
  })
})
