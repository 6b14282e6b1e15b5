import fc from 'fast-check'

const nested = (depth: number, leaf: unknown): unknown => (depth === 0 ? leaf : { a: nested(depth - 1, leaf) })

const NULL_ADDRESS = `0x${'0'.repeat(40)}`

/** Values of every type that trip programs, whatever is expected. */
const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5e-324],
  ...['', ' ', '\0', 'a\0b', '\ud800', 'a\udfff', '\ufeff', '\u202e', '\u0000\u001f\u007f', '\r\nx-evil: 1'],
  ...['0x10', '1e1', ' 10', '+1', '-0', '1_000', '٣', '1.5', 'NaN', 'Infinity', '9'.repeat(78), '9'.repeat(400)],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then', 'null', 'undefined', 'true', '[object Object]'],
  ...["' or 1=1 --", '%00', '%', '../../etc/passwd', '..', '.', '/', '\\', '<script>', '{{7*7}}', '$1'],
  ...['a'.repeat(255), 'a'.repeat(257), 'é'.repeat(300), '𝒳'.repeat(200), 'a'.repeat(20_000)],
  ...['1970-01-01T00:00:00Z', '2026-13-45T99:99:99Z', '+275760-09-13T00:00:00.001Z', '-271821-04-19T23:59:59.999Z'],
  ...[NULL_ADDRESS, `0x${'f'.repeat(40)}`, `0X${'A'.repeat(40)}`, `0x${'g'.repeat(40)}`, '0x', `0x${'0'.repeat(64)}`],
  ...['eip155:1', 'eip155:0', 'eip155:99999999999999999999999999999999', 'solana:x', 'eip155:', ':'],
  ...[[], [[]], [null], {}, { '': null }, { length: 1e9 }, { toString: 1 }, { toJSON: null }],
  ...[nested(60, 1), nested(70, 'x'), nested(500, null), Array.from({ length: 2_000 }, () => 0)],
]

/** URLs that a server could be tricked into fetching. All are on this machine, in refused ranges, or not URLs. */
export const URLS: readonly string[] = [
  ...['http://127.0.0.1:9/', 'http://127.0.0.1:1/x', 'https://127.0.0.1:9/', 'http://[::1]:9/', 'http://0.0.0.0:9/'],
  ...[
    'http://169.254.169.254/latest',
    'http://10.0.0.1/',
    'http://0x7f000001:9/',
    'http://2130706433:9/',
    'http://[::]/',
  ],
  ...['file:///etc/passwd', 'ftp://127.0.0.1/', 'javascript:alert(1)', 'http://', '//', 'http://127.0.0.1:0/'],
  ...[
    'http://127.0.0.1:65536/',
    'http://user:pass@127.0.0.1:9/',
    'http://127.0.0.1:9/#x',
    `http://127.0.0.1:9/${'a'.repeat(2_100)}`,
  ],
]

/** A value that no schema expects. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...VALUES) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(...URLS) },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n }).map(String) },
)

/** Whole bodies that are not an object of ours, as bytes. */
export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      ...['', '{', '}', '[]', '[{}]', 'null', 'true', '1', '"x"', 'NaN', '{"a":1e400}', '{"a":1,"a":2}', "{'a':1}"],
      ...[
        '{"__proto__":{"x":1}}',
        '{"constructor":{"prototype":{}}}',
        '\ufeff{}',
        '{"a":"\\ud800"}',
        '{}{}',
        '{"a":01}',
      ],
      ...[
        '['.repeat(100_000),
        '{"a":'.repeat(50_000),
        `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
        ' '.repeat(70_000),
      ],
      ...['a=b', 'a=1&a=2', '%', '=', '&&&', 'a[]=1', '__proto__=1', `{"a":"${'x'.repeat(300_000)}"}`],
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.json().map((text) => Buffer.from(text)),
)

export const CONTENT_TYPES: readonly string[] = [
  ...['application/json', 'application/json; charset=utf-8', 'application/json;charset=utf-16', 'APPLICATION/JSON'],
  ...['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data', 'multipart/form-data; boundary=x'],
  ...['application/xml', 'application/json, text/html', '', ';', 'application/', '*/*', 'application/problem+json'],
]

/** Methods other than those of a path. */
export const ODD_METHODS: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'],
  ...['PROPFIND', 'QUERY', 'MKCOL', 'LOCK', 'PURGE', 'REPORT'],
]

/** Headers that a server reads, with values that it should not trust. */
export const HEADERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['accept-encoding', ['br', 'gzip', 'identity;q=0', '*;q=0', 'gzip;q=0', 'deflate', 'br;q=9, ;', 'x'.repeat(3_000)]],
  ['accept', ['*/*', 'application/json', 'text/html', 'image/png', '\xff', ';;;']],
  ['if-none-match', ['*', '"x"', 'W/"x"', '"', ',,,', '"'.repeat(2_000)]],
  ['if-match', ['*', '"x"', 'W/"x"', 'x', '"'.repeat(2_000)]],
  ['range', ['bytes=0-1', 'bytes=-1', 'x']],
  ['origin', ['null', 'https://evil.example', 'http://127.0.0.1', 'x', '']],
  ['sec-fetch-site', ['cross-site', 'same-origin', 'none', 'x']],
  ['sec-purpose', ['prefetch', 'prefetch;prerender']],
  ['x-forwarded-for', ['127.0.0.1', '::1', 'x, y', '8.8.8.8'.repeat(100)]],
  ['x-request-id', ['x', '\xff\xfe', 'a'.repeat(4_000)]],
  ['traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-x', '\xff']],
  ['expect', ['100-continue', 'wonders']],
  ['cookie', ['callboard=x', 'callboard=', '=', ';;;', '__proto__=1', 'callboard=%', `callboard=${'a'.repeat(3_000)}`]],
  ['payment-signature', ['', 'x', '{}', 'e30=', 'bnVsbA==', 'W10=', '\xff', 'a'.repeat(33_000)]],
  ['x-payment', ['', 'x', '{}', 'e30=', 'eyJ4NDAyVmVyc2lvbiI6MX0=', '\xff']],
  ['mcp-protocol-version', ['2025-11-25', 'x']],
  ['x-http-method-override', ['DELETE', 'TRACE']],
  ['content-encoding', ['gzip', 'br', 'identity', 'x']],
]
