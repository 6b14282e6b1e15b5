import fc from 'fast-check'
import { arbitraryOf, type Known } from './arbitrary-of-schema.ts'
import { KINDS, type Kind } from './credentials.ts'
import { CONTENT_TYPES, HEADERS, hostileBody, hostileValue, ODD_METHODS } from './hostile.ts'
import { inPath, type Target, targets } from './targets.ts'

/** One request before its credential is added. */
export interface Case {
  readonly target: Target
  readonly kind: Kind
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

type Members = Readonly<Record<string, unknown>>

/** Whole inputs that were valid when they were made, by operation. */
export type Examples = ReadonlyMap<string, readonly Members[]>

/** What a run knows about its instance. */
export interface Material {
  readonly known: Known
  readonly examples: Examples
  /** Headers that pay for our own paid routes, each once. */
  readonly payments: readonly string[]
}

/** A kind of credential: twice as often one that the target accepts as any other. */
function kindFor({ op }: Target): fc.Arbitrary<Kind> {
  const wanted: Readonly<Record<string, readonly Kind[]>> = {
    session: ['session'],
    bearer: ['key', 'agent', 'console'],
    agent: ['agent'],
    client: ['client', 'none'],
  }
  const fit: readonly Kind[] = op
    ? op.http.registrationToken
      ? ['registration']
      : (wanted[op.http.auth] ?? ['none'])
    : ['session', 'none']
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...fit) },
    { weight: 1, arbitrary: fc.constantFrom(...KINDS) },
  )
}

function membersOf(target: Target, { known, examples }: Material): fc.Arbitrary<Members> {
  const made = arbitraryOf(target.input, known) as fc.Arbitrary<Members>
  const good = examples.get(target.op?.id ?? target.name)
  return good ? fc.oneof(fc.constantFrom(...good), made) : made
}

/** Members with one to three of them dropped, replaced or added. */
const mutated = (members: fc.Arbitrary<Members>): fc.Arbitrary<Members> =>
  members.chain((all) => {
    const names = [...Object.keys(all), 'extra', '__proto__x', 'a.b', '']
    const change = fc.record({
      name: fc.constantFrom(...names),
      how: fc.constantFrom('replace', 'drop', 'nest', 'list'),
      value: hostileValue,
    })
    return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
      const changed: Record<string, unknown> = { ...all }
      for (const { name, how, value } of changes) {
        if (how === 'drop') delete changed[name]
        else if (how === 'nest') changed[name] = nested(changed[name], value)
        else changed[name] = how === 'list' ? [changed[name], value] : value
      }
      return changed
    })
  })

/** Puts a hostile value into the first member of a member, so that nested values are reached, too. */
function nested(member: unknown, value: unknown): unknown {
  if (typeof member !== 'object' || member === null) return { a: value }
  const [first = 'a', second] = Object.keys(member)
  if (Array.isArray(member)) return [value, ...member.slice(1)]
  const deeper = second === undefined ? first : second
  return { ...member, [deeper]: value }
}

/** A case of one target, based on what the target takes. */
export function caseOf(target: Target, material: Material): fc.Arbitrary<Case> {
  const good = membersOf(target, material)
  const members = fc.oneof({ weight: 2, arbitrary: good }, { weight: 3, arbitrary: mutated(good) })
  const method = fc.oneof(
    { weight: 20, arbitrary: fc.constant(target.method) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_METHODS) },
  )
  const headers = target.op?.http.paid
    ? paying(material.payments)
    : fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: someHeaders })
  const rawBody = fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.record({ bytes: hostileBody, type: fc.constantFrom(...CONTENT_TYPES) }) },
  )
  const query = fc.oneof({ weight: 8, arbitrary: fc.constant('') }, { weight: 1, arbitrary: hostileQuery })
  return fc
    .record({ kind: kindFor(target), members, method, headers, rawBody, query, asForm: fc.boolean() })
    .map(({ rawBody: raw, ...made }) => requestOf(target, made, raw))
}

interface Made {
  readonly kind: Kind
  readonly members: Members
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: string
  readonly asForm: boolean
}

function requestOf(target: Target, made: Made, raw: { bytes: Buffer; type: string } | undefined): Case {
  const parameters = inPath(target)
  const path = target.path.replace(/:([A-Za-z]+)/g, (_, name: string) => encoded(textOf(made.members[name] ?? 'x')))
  const rest = Object.entries(made.members).filter(([name]) => !parameters.includes(name))
  const isForm = target.takesForm && (made.asForm || target.op === undefined)
  const shared = { target, kind: made.kind, method: made.method }
  if (!target.takesBody) {
    const query = [pairs(rest), made.query].filter(Boolean).join('&')
    return { ...shared, url: query ? `${path}?${query}` : path, headers: made.headers, body: undefined }
  }
  const url = made.query ? `${path}?${made.query}` : path
  const body = raw?.bytes ?? Buffer.from(isForm ? pairs(rest) : JSON.stringify(Object.fromEntries(rest)))
  const type = raw?.type ?? (isForm ? 'application/x-www-form-urlencoded' : 'application/json')
  return { ...shared, url, headers: { ...(type ? { 'content-type': type } : {}), ...made.headers }, body }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Percent-encoded, with half a surrogate pair as three bytes that are not valid UTF-8. */
const encoded = (text: string): string =>
  [...text].map((one) => (one.isWellFormed() ? encodeURIComponent(one) : '%ED%A0%80')).join('')

/** Members as a query or a form: a list is repeated, anything else that is not text is sent as JSON. */
const pairs = (members: readonly (readonly [string, unknown])[]): string =>
  members
    .flatMap(([name, value]) =>
      (Array.isArray(value) && value.length < 50 ? value : [value]).map((one) => [name, one] as const),
    )
    .map(([name, value]) => `${encoded(name)}=${encoded(textOf(value))}`)
    .join('&')

const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '%',
      '%zz=1',
      'a',
      '=',
      '&&',
      'a[]=1',
      'kinds[]=api',
      'limit=1&limit=2',
      'q=a&q=b',
      '__proto__=1',
      '?',
      '%00=%00',
    ],
    ...[
      'limit=0x10',
      'limit=1e1',
      'limit=%2010',
      'limit=',
      'cursor=',
      'constructor=1',
      'q=%ED%A0%80',
      `q=${'a'.repeat(9_000)}`,
    ],
  ),
  fc.string({ maxLength: 30 }).map(encodeURI),
)

/** A valid payment, an altered one, or none. */
const paying = (payments: readonly string[]): fc.Arbitrary<Record<string, string>> =>
  fc.oneof(
    fc.constantFrom(...payments).map((payment) => ({ 'payment-signature': payment })),
    fc
      .record({
        payment: fc.constantFrom(...payments),
        at: fc.nat(800),
        put: fc.string({ maxLength: 3 }),
        name: PAYMENT,
      })
      .map(({ payment, at, put, name }) => ({ [name]: payment.slice(0, at) + encodeURI(put) + payment.slice(at + 3) })),
    someHeaders,
    fc.constant({}),
  )

const PAYMENT = fc.constantFrom('payment-signature', 'x-payment')

const someHeaders: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc
      .constantFrom(...HEADERS)
      .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const)),
    { minLength: 1, maxLength: 3 },
  )
  .map((entries) => Object.fromEntries(entries))

/** The case with a number: the same for the same seed, number and material. */
export function caseNumber(seed: number, number: number, material: Material, only: readonly Target[] = targets): Case {
  const target = only[number % only.length]
  if (!target) throw new Error('There is nothing to call')
  // Consecutive numbers get seeds that are far apart.
  const own = Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)
  const [made] = fc.sample(caseOf(target, material), { seed: own, numRuns: 1 })
  if (!made) throw new Error('No case was made')
  return made
}
