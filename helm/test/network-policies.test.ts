import { modules } from '@callboard/all'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { addressPolicy } from '../../services/liveness-prober/src/guarded-fetch/address-policy.ts'
import { examples, findHelm, type KubeObject, MINIMAL } from '../src/chart.ts'
import { PUBLIC_RANGES } from '../src/public-ranges.ts'
import { ofKind, ofTarget, render } from './helm.ts'

const helm = findHelm()
const program = helm ?? ''

interface Rule {
  readonly to?: readonly { readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] } }[]
  readonly ports: readonly { readonly port: number | string }[]
}

const portsOf = (policy: KubeObject): unknown[] =>
  [...new Set((policy.spec.egress as Rule[]).flatMap(({ ports }) => ports.map(({ port }) => port)))].sort()

const reachesInternet = (policy: KubeObject): boolean =>
  (policy.spec.egress as Rule[]).some(({ to }) => to?.some(({ ipBlock }) => ipBlock?.cidr === PUBLIC_RANGES.ipv4.cidr))

describe.skipIf(!helm)('network policies', () => {
  const minimal = helm ? render(program, MINIMAL) : []
  const strict = helm ? render(program, examples().get('network-policies-strict') ?? '') : []
  const policyOf = (target: string) => ofTarget(minimal, 'NetworkPolicy', target)

  test('every target has a policy that covers both directions', () => {
    for (const { name } of modules) expect(policyOf(name).spec.policyTypes).toEqual(['Ingress', 'Egress'])
  })

  test('a service reaches DNS, NATS, Redis, Postgres if it has tables, chains if it reads them, and no more', () => {
    for (const module of modules) {
      const wanted: unknown[] = [53, 4222, 6379]
      if (module.migrations) wanted.push(5432)
      if ('RPC_URLS' in module.config.shape) wanted.push(443)
      if (['liveness-prober', 'router'].includes(module.name)) wanted.push(80, 443)
      expect(portsOf(policyOf(module.name)), module.name).toEqual([...new Set(wanted)].sort())
    }
  })

  test('only the prober and the router reach the public internet, and nothing private through it', () => {
    const reaching = ofKind(minimal, 'NetworkPolicy').filter(reachesInternet)
    expect(reaching.map(({ metadata }) => metadata.name)).toEqual([
      'cb-callboard-liveness-prober',
      'cb-callboard-router',
    ])
    const [v4, v6] = (policyOf('liveness-prober').spec.egress as Rule[]).at(-1)?.to ?? []
    expect(v4?.ipBlock).toEqual(PUBLIC_RANGES.ipv4)
    expect(v6?.ipBlock).toEqual(PUBLIC_RANGES.ipv6)
  })

  test('the ranges that the prober must refuse are closed here, too, and its extra ports are open', () => {
    const rule = (ofTarget(strict, 'NetworkPolicy', 'liveness-prober').spec.egress as Rule[]).at(-1)
    expect(rule?.to?.[0]?.ipBlock?.except).toContain('8.8.4.0/24')
    expect(rule?.to?.[1]?.ipBlock?.except).toContain('2600:1900::/28')
    expect(rule?.ports.map(({ port }) => port)).toEqual([80, 443, 8443])
  })

  test('what the prober must refuse and may call does not concern the router', () => {
    const settings = { PROBE_REFUSED_CIDRS: '8.8.4.0/24', PROBE_EXTRA_PORTS: '8443' }
    const rule = (ofTarget(render(program, MINIMAL, { settings }), 'NetworkPolicy', 'router').spec.egress as Rule[]).at(
      -1,
    )
    expect(rule?.to?.[0]?.ipBlock).toEqual(PUBLIC_RANGES.ipv4)
    expect(rule?.ports.map(({ port }) => port)).toEqual([80, 443])
  })

  test('each exception lies within its block, as Kubernetes demands, whatever ranges the prober must refuse', () => {
    const ranges = '10.20.0.0/16,fd12:3456::/48,2600:1900::/28,::ffff:0:0/96,2000::/3,0.0.0.0/0'
    const objects = render(program, MINIMAL, { settings: { PROBE_REFUSED_CIDRS: ranges } })
    const blocks = ofKind(objects, 'NetworkPolicy').flatMap(({ spec }) =>
      (spec.egress as Rule[]).flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])),
    )
    expect(blocks.some(({ except }) => except?.includes('10.20.0.0/16'))).toBe(true)
    expect(blocks.some(({ except }) => except?.includes('2600:1900::/28'))).toBe(true)
    for (const { cidr, except = [] } of blocks) {
      const [block, bits] = ipaddr.parseCIDR(cidr)
      for (const one of except) {
        const [address, own] = ipaddr.parseCIDR(one)
        expect(address.kind() === block.kind() && own > bits && address.match([block, bits] as never), one).toBe(true)
      }
    }
  })

  test('the ports of RPC endpoints and of the collector are open where the values name them', () => {
    const RPC_URLS = {
      'eip155:8453': ['https://rpc.example/base', 'http://key:word@node.chains.svc:8545/?k=1'],
      'eip155:5042': ['http://[fd00::1]/arc'],
    }
    const settings = { RPC_URLS, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example/otlp' }
    for (const given of [settings, { ...settings, RPC_URLS: JSON.stringify(RPC_URLS) }]) {
      const objects = render(program, MINIMAL, { settings: given })
      const of = (target: string) => portsOf(ofTarget(objects, 'NetworkPolicy', target))
      expect(of('chain-indexer')).toEqual([4222, 4318, 443, 53, 5432, 6379, 80, 8545])
      expect(of('catalog')).toEqual([4222, 4318, 443, 53, 5432, 6379])
    }
  })

  test('traces leave where the address of their collector stands in a Secret', () => {
    const objects = render(program, MINIMAL, { secrets: { OTEL_EXPORTER_OTLP_ENDPOINT: { existingSecret: 'traces' } } })
    for (const { name } of modules) expect(portsOf(ofTarget(objects, 'NetworkPolicy', name)), name).toContain(4318)
  })

  test('a migration step that runs before the release finds its policy there', () => {
    const hooks = (objects: KubeObject[]) =>
      ['Job', 'NetworkPolicy'].map((kind) => ofTarget(objects, kind, 'migrate').metadata.annotations)
    const [job, policy] = hooks(render(program, MINIMAL, { migrations: { mode: 'hook' } }))
    expect(policy).toMatchObject(job ?? {})
    expect(Number(policy?.['helm.sh/hook-weight'])).toBeLessThan(Number(job?.['helm.sh/hook-weight'] ?? 0))
    expect(hooks(minimal)).toEqual([undefined, undefined])
  })

  test('only the gateway is open to the public', () => {
    for (const policy of ofKind(minimal, 'NetworkPolicy')) {
      const ports = ((policy.spec.ingress ?? []) as Rule[]).flatMap((rule) => rule.ports.map(({ port }) => port))
      expect(ports.includes('http'), policy.metadata.name).toBe(policy.metadata.name === 'cb-callboard-gateway')
    }
  })

  test('helm test reaches the gateway and nothing else, however strict the policies', () => {
    for (const objects of [minimal, strict]) {
      const component = { 'app.kubernetes.io/component': 'test' }
      const own = ofTarget(objects, 'NetworkPolicy', 'test')
      expect(own.spec.podSelector.matchLabels).toMatchObject(component)
      expect(portsOf(own)).toEqual([53, 'http'])
      const [door] = ofTarget(objects, 'NetworkPolicy', 'gateway').spec.ingress
      const mayEnter =
        door.from === undefined || JSON.stringify(door.from).includes(JSON.stringify(component).slice(1, -1))
      expect(mayEnter).toBe(true)
    }
  })

  test('with named peers, only the public internet remains open without a selector', () => {
    for (const policy of ofKind(strict, 'NetworkPolicy')) {
      for (const rule of [...(policy.spec.egress as Rule[])]) expect(rule.to, policy.metadata.name).toBeDefined()
      for (const rule of policy.spec.ingress ?? []) expect(rule.from, policy.metadata.name).toBeDefined()
    }
  })
})

/** The first address of each special range; the library stores a range as a pair or as a list of pairs. */
function specialAddresses(): (ipaddr.IPv4 | ipaddr.IPv6)[] {
  const tables: object[] = [ipaddr.IPv4.prototype, ipaddr.IPv6.prototype]
  const ranges = tables.flatMap((table) => Object.values((table as { SpecialRanges: object }).SpecialRanges))
  return ranges.flatMap((range) =>
    Array.isArray(range[0]) ? range.map((pair: [ipaddr.IPv4 | ipaddr.IPv6, number]) => pair[0]) : [range[0]],
  )
}

describe('the public ranges', () => {
  const reachable = addressPolicy({ ports: new Set([443]), refusedCidrs: [], allowLoopback: false })
  const excepted = [...PUBLIC_RANGES.ipv4.except, ...PUBLIC_RANGES.ipv6.except]

  test('the prober’s guard refuses every excepted range', () => {
    for (const cidr of excepted) expect(reachable(cidr.split('/')[0] ?? '', 443), cidr).toBe(false)
  })

  test('every range that the guard’s library calls special is excepted', () => {
    const covering = excepted.map((cidr) => ipaddr.parseCIDR(cidr))
    const publicV6 = ipaddr.parseCIDR(PUBLIC_RANGES.ipv6.cidr)
    for (const address of specialAddresses()) {
      const within = (range: typeof publicV6) => range[0].kind() === address.kind() && address.match(range)
      if (address.kind() === 'ipv6' && !within(publicV6)) continue
      expect(covering.some(within), address.toString()).toBe(true)
    }
  })
})
