import { ChainConfig } from '@callboard/evm'
import { envBoolean, envInt, rotates } from '@callboard/runtime'
import { DAY_MS, HOUR_MS } from '@callboard/values'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

const envPorts = z
  .string()
  .transform(list)
  .pipe(z.array(z.string().regex(/^\d+$/, 'must be ports').transform(Number).pipe(z.int().min(1).max(65_535))))

const envCidrs = z
  .string()
  .transform(list)
  .pipe(z.array(z.string().refine((cidr) => ipaddr.isValidCIDR(cidr), 'must be CIDR ranges')))

/** Each read of the directory signs it once per key, and it must stay below the size at which compression pays. */
const MAX_SIGNING_KEYS = 4
const envKeys = z
  .string()
  .transform(list)
  .pipe(
    z
      .array(z.string().regex(/^[0-9a-fA-F]{64}$/, 'must be Ed25519 private keys, 64 hex digits each'))
      .max(MAX_SIGNING_KEYS),
  )

export const Config = z
  .object({
    BASE_URL: z.url().describe('The public base URL: what EIP-4361 messages are bound to and links begin with.'),
    PROBE_CONTACT_URL: z
      .url()
      .optional()
      .describe('Where the prober’s user agent sends those who ask who calls. Empty: the public base URL.'),
    PROBE_SIGNING_KEYS: rotates(envKeys.default([])).describe(
      'The Ed25519 private keys that say who probes (Web Bot Auth): 64 hex digits each, comma-separated, the same for every replica. The first signs each request, all are published at `/.well-known/http-message-signatures-directory`: a new one is added last, becomes the first an hour later, and the old one leaves an hour after that. Empty: requests are not signed.',
    ),
    PROBE_INTERVAL_MS: envInt(100, DAY_MS)
      .default(300_000)
      .describe('Time from one check of an endpoint to the next, start to start, give or take a tenth.'),
    PROBE_MIRROR_INTERVAL_MS: envInt(100, 7 * DAY_MS)
      .default(6 * HOUR_MS)
      .describe('The same for resources that are mirrored: their providers did not ask to be probed.'),
    PROBE_MIRROR_PAUSE_MS: envInt(0, 60_000)
      .default(250)
      .describe(
        'Time from the answer of one mirrored resource to the call of the next one of its origin, whichever replica makes it; a longer `Crawl-delay` of its robots.txt counts, up to 15 seconds.',
      ),
    PROBE_BACKOFF_MAX_MS: envInt(100, 30 * DAY_MS)
      .default(DAY_MS)
      .describe('The longest time between checks of an endpoint that stays down.'),
    PROBE_POLL_MS: envInt(10, 60_000)
      .default(1_000)
      .describe(
        'The least time between two looks at the schedule; it looks when something is due, and this often while Postgres’ notifications do not arrive.',
      ),
    PROBE_CONCURRENCY: envInt(1, 1_000)
      .default(32)
      .describe('Origins that one replica checks at once; each over one connection.'),
    PROBE_LEASE_MS: envInt(1_000, 3_600_000)
      .default(10_000)
      .describe(
        'How long an origin stays with the replica that checks it, should that replica die or stand still; one at work prolongs it each third of that.',
      ),
    PROBE_WAIT_MS: envInt(0, 20_000)
      .default(8_000)
      .describe('How long a probe on demand waits while its origin is being visited, before it is refused.'),
    PROBE_TIMEOUT_MS: envInt(100, 20_000)
      .default(8_000)
      .describe('The longest one request may take, from the first packet to the last byte.'),
    PROBE_CONNECT_TIMEOUT_MS: envInt(100, 20_000)
      .default(4_000)
      .describe('The longest that name resolution and connecting may take.'),
    PROBE_EXTRA_PORTS: envPorts
      .default([])
      .describe('Ports of public hosts that may be probed beside 80 and 443, comma-separated.'),
    PROBE_REFUSED_CIDRS: envCidrs
      .default([])
      .describe('Public ranges that are never probed, comma-separated: the cluster’s own and our ingress.'),
    PROBE_ALLOW_LOOPBACK: envBoolean
      .default(false)
      .describe('Devnet only: lets probes reach this machine’s loopback, on any port.'),
    ...ChainConfig.shape,
  })
  .refine((config) => !(config.PROBE_ALLOW_LOOPBACK && config.RPC_URLS), {
    path: ['PROBE_ALLOW_LOOPBACK'],
    error: 'is for the devnet only and must be false where RPC_URLS is set',
  })
export type Config = z.output<typeof Config>
