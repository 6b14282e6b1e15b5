/** A fault that a separate test causes, because it needs a stage of its own. */
export interface Tested {
  readonly name: string
  readonly how: string
  readonly mustHold: string
  /** The test file, from the root, and a part of its title. */
  readonly test: readonly [file: string, title: string]
}

const HOSTILE = 'services/liveness-prober/test/probe.test.ts'
const GUARD = 'services/liveness-prober/test/guarded-fetch.test.ts'

export const tested: readonly Tested[] = [
  {
    name: 'reorganization beyond finality',
    how: 'anvil_reorg deeper than the blocks that the indexer watches',
    mustHold: 'the indexer stops on that chain and reports it; nothing final is reverted',
    test: ['services/chain-indexer/test/reorg.test.ts', 'visibly halts the chain’s job and deletes nothing'],
  },
  {
    name: 'one of two indexers gone',
    how: 'the leader is stopped, or loses its connection to Postgres',
    mustHold: 'the other one leads within seconds, nothing is duplicated, and a write of the old term is refused',
    test: ['services/chain-indexer/test/two-leaders.test.ts', 'takes over within seconds'],
  },
  {
    name: 'kill -9 at the other steps of a settlement',
    how: 'SIGKILL to a real process at verified, broadcast, concluded, repriced, displaced and vanished, for a single payment and in a batch',
    mustHold: 'the next start completes each payment once',
    test: [
      'services/x402-facilitator/test/kill-batch.test.ts',
      'at displaced, after their chain nonce was used without us',
    ],
  },
  {
    name: 'kill -9 at each step of an approval',
    how: 'SIGKILL to a real process of agents at begun, keyed, granted, live, ending and void',
    mustHold: 'a job completes the owner’s decision once; no token and no key outlives its link',
    test: ['services/agents/test/settling.test.ts', 'kill -9 in the middle of an approval that replaces a link'],
  },
  {
    name: 'kill -9 between an allowance at the Router and its link',
    how: 'SIGKILL to a real process of agents after the Router has the new allowance and before the link records it',
    mustHold: 'a minute later the Router has the allowance that the owner sees',
    test: ['services/agents/test/settling.test.ts', 'kill -9 before it is recorded'],
  },
  {
    name: 'a refresh token stolen, or its answer lost',
    how: 'a used refresh token is presented again, within half a minute and later',
    mustHold:
      'within half a minute it gets the same answer; later, or once its successor was used, every token of the family ends',
    test: ['services/oauth/test/device-grant.test.ts', 'ends the whole family'],
  },
  {
    name: 'Postgres stopped in the middle of a redemption',
    how: 'a real Postgres is stopped immediately while tokens are issued, before, during and after the commit, and at the steps of an approval',
    mustHold: 'a code is redeemed once or stays valid; a refresh token gives one pair; an approval is completed once',
    test: ['services/agents/test/postgres-restarted.test.ts', 'between the commit and its acknowledgement'],
  },
  {
    name: 'Redis down while credentials are revoked',
    how: 'Redis is stopped under three gateways that cache introspections, and started again on its data',
    mustHold:
      'routes that grant access answer 503 with Retry-After, no session ends, no revocation is acknowledged, and all revocations take effect when Redis is back',
    test: ['services/all/test/redis-lost.test.ts', 'once it is back what was revoked meanwhile is refused everywhere'],
  },
  {
    name: 'a link ended under load',
    how: 'twenty agents call through three gateways; links are ended by their owner, by the agent, by a revoked token, by a stolen one, and by relinking',
    mustHold: 'no gateway accepts a request that begins after the answer, and none refuses an earlier one',
    test: ['services/all/test/links-end-everywhere.test.ts', 'is refused everywhere from the answer of'],
  },
  {
    name: 'two replicas of oauth at once',
    how: 'twenty parallel polls, requests with one nonce, rotations and decisions, sent to both replicas in turn',
    mustHold: 'one of each counts; rotations of one token return the same pair',
    test: ['services/agents/test/two-replicas.test.ts', 'of twenty polls of one approved code, one gets tokens'],
  },
  {
    name: 'provider slow',
    how: 'an endpoint sends a byte now and then, or its name servers never answer',
    mustHold: 'the deadline ends the probe',
    test: [HOSTILE, 'a body that drips ends with the deadline'],
  },
  {
    name: 'provider huge',
    how: 'bodies and heads are endless or compressed',
    mustHold: 'reading stops at the limit, and the check reports it',
    test: [HOSTILE, 'a huge body is cut at the cap'],
  },
  {
    name: 'provider redirecting inward',
    how: 'an endpoint answers 3xx to loopback and to private addresses',
    mustHold: 'no connection is made there',
    test: [HOSTILE, 'a redirect is a state of its own, and is not followed'],
  },
  {
    name: 'provider rebinding',
    how: 'a name resolves to a public address first and to a private one afterwards',
    mustHold: 'the connection goes exactly to the address that was checked',
    test: [GUARD, 'first public and then private'],
  },
  {
    name: 'migration killed half-way',
    how: 'the session of a migration is ended while it runs',
    mustHold: 'no part of it remains; the next attempt completes it',
    test: ['libs/store/test/migrate.test.ts', 'killed half-way'],
  },
  {
    name: 'new schema under an old process',
    how: 'a newer version has migrated the schema further',
    mustHold: 'the old process starts on it',
    test: ['libs/store/test/migrate.test.ts', 'an old process starts on a schema'],
  },
  {
    name: 'Routers and a gateway killed under model calls',
    how: 'six SIGKILLs during 400 calls of all surfaces, with failing upstreams, clients that leave and repeated payments, while the books are read many times a second',
    mustHold:
      'spent + held ≤ purchased at every reading; at the end nothing is held, every charge equals the upstream’s bill, and every payment is credited once',
    test: ['faults/test/router-money.test.ts', 'at every moment spent + held'],
  },
  {
    name: 'a gateway killed while a model answers',
    how: 'SIGKILL to the gateway of short calls, streamed and not, before their answers are complete',
    mustHold: 'the Router notices before it settles: the call counts as broken and is free',
    test: ['services/router/test/dead-gateway.test.ts', 'the call costs nothing'],
  },
  {
    name: 'Routers and gateways replaced under streams',
    how: 'SIGTERM to one of two replicas while twelve streams run',
    mustHold:
      'the streams complete, the other replica answers calls that arrive in the meantime, and the process exits with 0',
    test: ['faults/test/rolling-streams.test.ts', 'streams under way end whole'],
  },
  {
    name: 'a clock over midnight under model calls',
    how: 'the clock is set past 00:00 UTC, and back, during 200 calls of one budget',
    mustHold: 'a call counts towards the day of its admission, and no day gives more than its limit',
    test: ['services/router/test/midnight.test.ts', 'a call belongs to the day of its admission'],
  },
  {
    name: 'embedded: kill -9 of the whole instance',
    how: 'SIGKILL to the instance between broadcast and receipt, and during twenty settlements',
    mustHold: 'each payment is one transfer; a repeated request gets the stored success',
    test: ['services/all/test/payments-killed.test.ts', 'between broadcast and receipt'],
  },
  {
    name: 'embedded: a child gone under it',
    how: 'SIGKILL to Postgres under a running instance',
    mustHold: 'the instance ends with one sentence; the next start finds the data',
    test: ['services/all/test/embedded-faults.test.ts', 'Postgres killed under it'],
  },
  {
    name: 'embedded: paused 10 s',
    how: 'SIGSTOP to the instance during requests',
    mustHold: 'it continues as if nothing had happened',
    test: ['services/all/test/embedded-faults.test.ts', 'paused for ten seconds'],
  },
  {
    name: 'embedded: the parent process killed',
    how: 'SIGKILL to the process that owns Postgres and anvil',
    mustHold: 'the next start ends the leftover processes, and none of their data is lost',
    test: ['libs/embedded/test/anvil.test.ts', 'kill -9 of its parent'],
  },
  {
    name: 'embedded: Postgres kill -9',
    how: 'SIGKILL to the child process during writes',
    mustHold: 'no acknowledged row is lost',
    test: ['libs/embedded/test/postgres.test.ts', 'kill -9 of the server loses no acknowledged row'],
  },
  {
    name: 'Postgres restored under services of one process',
    how: 'its database is replaced by an earlier copy after keys were revoked, a payment was settled and balance was bought; the chain and Redis keep their present state',
    mustHold:
      'nothing starts before the operator has reconciled; no credential is valid, a payment whose window is over still counts as settled, and balance is credited once',
    test: ['services/all/test/restored.test.ts', 'also after its window, and moves no more'],
  },
  {
    name: 'a database that went back under a running process',
    how: 'the mark of a schema is lowered, and every connection is ended',
    mustHold: 'no statement of the process runs on that database',
    test: ['libs/store/test/database-mark.test.ts', 'no statement runs on a database that stands earlier'],
  },
]
