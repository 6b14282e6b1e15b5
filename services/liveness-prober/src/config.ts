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
    BASE_URL: z.url().describe('The public base URL. EIP-4361 messages are bound to it, and links begin with it.'),
    PROBE_CONTACT_URL: z
      .url()
      .optional()
      .describe(
        'The contact URL in the prober’s user agent, for operators who want to know who is calling. Empty: the public base URL.',
      ),
    PROBE_SIGNING_KEYS: rotates(envKeys.default([])).describe(
      'The Ed25519 private keys that identify the prober (Web Bot Auth): 64 hex digits each, comma-separated, the same for every replica. The first key signs each request; all keys are published at `/.well-known/http-message-signatures-directory`. To rotate, add the new key last, move it to the front an hour later, and remove the old key an hour after that. Empty: requests are not signed.',
    ),
    PROBE_INTERVAL_MS: envInt(100, DAY_MS)
      .default(300_000)
      .describe('The time from the start of one check of an endpoint to the start of the next, give or take a tenth.'),
    PROBE_MIRROR_INTERVAL_MS: envInt(100, 7 * DAY_MS)
      .default(6 * HOUR_MS)
      .describe('The same interval for mirrored resources, whose providers did not ask to be probed.'),
    PROBE_MIRROR_PAUSE_MS: envInt(0, 60_000)
      .default(250)
      .describe(
        'The time between the answer of one mirrored resource and the call to the next one of the same origin, whichever replica makes it. A longer `Crawl-delay` in the origin’s robots.txt takes precedence, up to 15 seconds.',
      ),
    PROBE_BACKOFF_MAX_MS: envInt(100, 30 * DAY_MS)
      .default(DAY_MS)
      .describe('The longest time between checks of an endpoint that stays down.'),
    PROBE_POLL_MS: envInt(10, 60_000)
      .default(1_000)
      .describe(
        'The shortest time between two checks of the schedule. The prober checks it when something is due, and at this interval while Postgres’ notifications do not arrive.',
      ),
    PROBE_CONCURRENCY: envInt(1, 1_000)
      .default(32)
      .describe('The number of origins that one replica checks at the same time, each over one connection.'),
    PROBE_LEASE_MS: envInt(1_000, 3_600_000)
      .default(10_000)
      .describe(
        'How long an origin stays assigned to the replica that checks it if that replica dies or hangs. A working replica renews the lease after each third of this time.',
      ),
    PROBE_WAIT_MS: envInt(0, 20_000)
      .default(8_000)
      .describe('How long an on-demand probe waits while its origin is being visited, before it is refused.'),
    PROBE_TIMEOUT_MS: envInt(100, 20_000)
      .default(8_000)
      .describe('The longest time that one request may take, from the first packet to the last byte.'),
    PROBE_CONNECT_TIMEOUT_MS: envInt(100, 20_000)
      .default(4_000)
      .describe('The longest time that name resolution and connecting may take.'),
    PROBE_EXTRA_PORTS: envPorts
      .default([])
      .describe('Ports of public hosts that may be probed in addition to 80 and 443, comma-separated.'),
    PROBE_REFUSED_CIDRS: envCidrs
      .default([])
      .describe(
        'Public address ranges that are never probed, comma-separated: the cluster’s own ranges and our ingress.',
      ),
    PROBE_ALLOW_LOOPBACK: envBoolean
      .default(false)
      .describe('Devnet only: allows probes to reach this machine’s loopback, on any port.'),
    ...ChainConfig.shape,
  })
  .refine((config) => !(config.PROBE_ALLOW_LOOPBACK && config.RPC_URLS), {
    path: ['PROBE_ALLOW_LOOPBACK'],
    error: 'is for the devnet only and must be false where RPC_URLS is set',
  })
export type Config = z.output<typeof Config>
