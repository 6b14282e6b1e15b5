import { expect, test } from 'vitest'
import { findings } from './rules.ts'

/** The findings in a tree of these files, each with its imports. */
function found(files: Readonly<Record<string, readonly string[]>>, texts: Readonly<Record<string, string>> = {}) {
  const paths = [...Object.keys(files), ...Object.keys(texts), 'services/shop/package.json']
  const seen = findings({ paths, graph: new Map(Object.entries(files)), read: (path) => texts[path] ?? '' })
  return seen.map(({ says }) => says)
}

test('default: a clean tree has no findings', () => {
  expect(found({ 'services/shop/src/a.ts': ['services/shop/src/b.ts'], 'services/shop/src/b.ts': [] })).toEqual([])
})

test('a circle is reported once, with all its files', () => {
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => `services/shop/src/${name}.ts`) as [
    string,
    string,
    string,
    string,
  ]
  expect(found({ [a]: [b], [b]: [c], [c]: [a, d], [d]: [] })).toEqual([`a circle of 3 files: ${a}, ${b}, ${c}`])
  expect(found({ [d]: [d] })).toEqual([`a circle of 1 files: ${d}`])
})

test('two separate circles are two findings', () => {
  expect(
    found({ 'x/a.ts': ['x/b.ts'], 'x/b.ts': ['x/a.ts'], 'x/c.ts': ['x/d.ts'], 'x/d.ts': ['x/c.ts'] }),
  ).toHaveLength(2)
})

test.each(['store/tables.ts', 'counting/count.ts', 'probe.ts'])(
  'a domain may not import what is beside it, such as %s; its tests may',
  (beside) => {
    const file = `services/shop/src/${beside}`
    expect(found({ 'services/shop/src/domain/price.ts': [file], [file]: [] })).toEqual([
      `services/shop/src/domain/price.ts imports ${file}: a domain knows nothing beside itself`,
    ])
    expect(found({ 'services/shop/src/domain/price.test.ts': [file], [file]: [] })).toEqual([])
  },
)

test('a domain may import its own folders and the libraries', () => {
  const [price, day, value] = [
    'services/shop/src/domain/price.ts',
    'services/shop/src/domain/time/day.ts',
    'libs/v/src/a.ts',
  ]
  expect(found({ [price]: [day, value], [day]: [price.replace('price', 'usd')], [value]: [] })).toEqual([])
})

test('more than twenty sources in a folder need a reason in the README, tests not counted', () => {
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at): [string, string[]] => [`services/shop/src/all/${at}.ts`, []]),
    )
  expect(found({ ...many(20), 'services/shop/src/all/a.test.ts': [] })).toEqual([])
  expect(found(many(21))).toEqual([
    'services/shop/src/all holds 21 sources, more than 20: part it, or say why in services/shop/README.md',
  ])
  const readme = (text: string) => ({ 'services/shop/README.md': text })
  expect(found(many(21), readme('`src/all` holds more than 20 files, one for each thing.'))).toEqual([])
  expect(found(many(21), readme('`src/other` holds more than 20 files.'))).toHaveLength(1)
})
