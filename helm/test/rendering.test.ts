import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { CHART, examples, findHelm, MINIMAL } from '../src/chart.ts'
import { findCurrentHelm, lint, render, valuesOf } from './helm.ts'
import { unknownFields, validate } from './models.ts'

const helm = findHelm()

describe.skipIf(!helm)('every example of the chart', () => {
  const program = helm ?? ''
  test.each([...examples()])('%s: helm lints and renders it, and each object is valid', async (_name, file) => {
    expect(lint(program, file)).toContain('0 chart(s) failed')
    const objects = render(program, file)
    expect(objects.length).toBeGreaterThan(20)
    for (const object of objects) {
      await expect(validate(object), `${object.kind} ${object.metadata.name}`).resolves.toBeUndefined()
    }
  })

  test('no object has a field that Kubernetes, KEDA or the Prometheus operator does not know', () => {
    const all = [...examples()].flatMap(([name, file]) =>
      render(program, file).map((object) => [`${name} ${object.kind} ${object.metadata.name}`, object] as const),
    )
    expect(unknownFields(all)).toEqual([])
  })

  test('the check for unknown fields detects one', () => {
    const [deployment] = render(program, MINIMAL).filter(({ kind }) => kind === 'Deployment')
    if (!deployment) throw new Error('There is no Deployment.')
    const wrong = { ...deployment, spec: { ...deployment.spec, replica: 2 } }
    expect(unknownFields([['wrong', wrong]])).toEqual([expect.stringMatching(/^wrong: .*'"replica"' does not exist/)])
  })

  test('no two objects of one kind share a name', () => {
    for (const [name, file] of examples()) {
      const names = render(program, file).map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      expect(new Set(names).size, name).toBe(names.length)
    }
  })
})

describe('values.schema.json', () => {
  const schema = new Ajv({ allowUnionTypes: true, strict: true }).compile(
    JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8')),
  )

  test.each([['default', join(CHART, 'values.yaml')], ...examples()])('%s: is accepted', (_, file) => {
    schema(valuesOf(file))
    expect(schema.errors ?? []).toEqual([])
  })

  test.each([
    ['an unknown member', { replica: 1 }],
    ['an unknown target', { targets: { gatway: {} } }],
    ['an unknown member of a target', { targets: { gateway: { replica: 1 } } }],
    ['an unknown setting', { settings: { BASE_URI: 'https://x' } }],
    ['a secret among the settings', { settings: { FACILITATOR_KEYS: '0x1' } }],
    ['a setting that the chart decides', { settings: { ADMIN_PORT: 1 } }],
    ['a setting of the devnet', { targets: { 'liveness-prober': { settings: { PROBE_ALLOW_LOOPBACK: true } } } }],
    ['a secret’s value in place of its Secret', { secrets: { FACILITATOR_KEYS: '0x1' } }],
    ['an unknown kind of scaling', { defaults: { autoscaling: { kind: 'lag' } } }],
  ])('refuses %s', (_, wrong) => {
    expect(schema(wrong)).toBe(false)
  })
})

const current = findCurrentHelm()

describe('the current helm', () => {
  if ('absent' in current) return test.skip(`not run: ${current.absent}`, () => {})
  test.skipIf(!helm).each([...examples()])('%s: lints and renders the same objects', (_, file) => {
    expect(lint(current.helm, file)).toContain('0 chart(s) failed')
    expect(render(current.helm, file)).toEqual(render(helm ?? '', file))
  })
})
