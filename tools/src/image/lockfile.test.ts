import { describe, expect, test } from 'vitest'
import { type Lockfile, nameOf, reachedFrom } from './lockfile.ts'

const all = { isLeftOut: () => false, isInstalled: () => true }

describe('reachedFrom', () => {
  const lockfile: Lockfile = {
    'services/all': { dependencies: { lib: '1', a: '1' } },
    'node_modules/lib': { link: true, resolved: 'libs/lib' },
    'libs/lib': { dependencies: { b: '2' }, optionalDependencies: { native: '1' } },
    'libs/lib/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/a': {
      dependencies: { b: '1' },
      peerDependencies: { p: '1', q: '1' },
      peerDependenciesMeta: { q: { optional: true } },
    },
    'node_modules/b': {},
    'node_modules/c': {},
    'node_modules/p': {},
    'node_modules/q': {},
    'node_modules/native': {},
    'node_modules/only-for-tests': {},
  }

  test('default: follows workspaces, takes the nearest version of each package, and includes required peers', () => {
    expect(reachedFrom('services/all', lockfile, all)).toEqual({
      workspaces: ['libs/lib', 'services/all'],
      packages: [
        'libs/lib/node_modules/b',
        'node_modules/a',
        'node_modules/b',
        'node_modules/c',
        'node_modules/native',
        'node_modules/p',
      ],
    })
  })

  test('behavior: an excluded package and an uninstalled optional one bring nothing along', () => {
    const { packages } = reachedFrom('services/all', lockfile, {
      isLeftOut: (name) => name === 'a',
      isInstalled: (folder) => folder !== 'node_modules/native',
    })
    expect(packages).toEqual(['libs/lib/node_modules/b', 'node_modules/c'])
  })

  test('behavior: cycles terminate', () => {
    const circle: Lockfile = {
      w: { dependencies: { a: '1' } },
      'node_modules/a': { dependencies: { b: '1' } },
      'node_modules/b': { dependencies: { a: '1' } },
    }
    expect(reachedFrom('w', circle, all).packages).toEqual(['node_modules/a', 'node_modules/b'])
  })

  test('error: a package that nothing provides is named', () => {
    expect(() => reachedFrom('w', { w: { dependencies: { gone: '1' } } }, all)).toThrow('w needs gone')
  })
})

test('nameOf: works with and without a scope, and nested', () => {
  expect(nameOf('node_modules/@a/b/node_modules/@c/d')).toBe('@c/d')
  expect(nameOf('node_modules/e')).toBe('e')
})
