import { describe, expect, test } from 'vitest'
import { examples, findHelm, type KubeObject, MINIMAL } from '../src/chart.ts'
import { refusal, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

/** Values that YAML 1.1 does not read as text without quotes. */
const ODD = ['y', 'no', 'true', 'null', '2026', '1e3', '0x1f', '0o17']
/** @source RFC 1035 §2.3.1, as Kubernetes wants it of Services */
const DNS_LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Every value under a key for which Kubernetes requires text, with its path. */
function textsOf(value: unknown, way = ''): [way: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    const here = `${way}.${key}`
    const isMapOfTexts = ['labels', 'matchLabels', 'annotations'].includes(key)
    if (isMapOfTexts) return Object.entries(inner ?? {}).map(([name, text]) => [`${here}.${name}`, text])
    const isText = ['name', 'namespace', 'topologyKey', 'priorityClassName', 'ingressClassName', 'image'].includes(key)
    return isText ? [[here, inner]] : textsOf(inner, here)
  })
}

const expectTexts = (objects: readonly KubeObject[]) => {
  for (const object of objects)
    for (const [way, value] of textsOf(object)) expect(typeof value, `${object.kind}${way}: ${value}`).toBe('string')
}

describe.skipIf(!helm)('names', () => {
  test.each(ODD)('%s is rendered as text for release, namespace, chart, class, Secret and key', (odd) => {
    const more = {
      nameOverride: odd,
      defaults: { priorityClassName: odd, spreadOver: [odd] },
      ingress: { className: odd },
      secrets: { DATABASE_URL: { existingSecret: odd, key: odd } },
    }
    const values = examples().get('ingress') ?? MINIMAL
    const objects = render(program, values, more, { release: odd, namespace: odd })
    expectTexts(objects)
    for (const { metadata, kind } of objects) if (kind === 'Service') expect(metadata.name).toMatch(DNS_LABEL)
    const secrets = objects.flatMap(({ spec }) => JSON.stringify(spec ?? {}).match(/"secretKeyRef":\{[^}]*\}/g) ?? [])
    expect(secrets).toContain(`"secretKeyRef":{"name":"${odd}","key":"${odd}"}`)
  })

  test.each([...examples()])('the names of the example %s are text', (_name, file) =>
    expectTexts(render(program, file)),
  )

  test.each(['2026', 'Callboard', 'a_b'])(
    'fullnameOverride %s, which is no valid Service name, is refused',
    (fullnameOverride) => {
      expect(refusal(program, MINIMAL, { fullnameOverride })).toContain('the names of Services begin with a letter')
    },
  )
})
