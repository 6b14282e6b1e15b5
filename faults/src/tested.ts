/** A fault that a test of its own does, because it needs a stage of its own. */
export interface Tested {
  readonly name: string
  readonly how: string
  readonly mustHold: string
  /** The test file, from the root, and words of the title that stand in it. */
  readonly test: readonly [file: string, title: string]
}

const HOSTILE = 'services/liveness-prober/test/probe.test.ts'
const GUARD = 'services/liveness-prober/test/guarded-fetch.test.ts'

export const tested: readonly Tested[] = [
  {
    name: 'reorganization beyond finality',
    how: 'anvil_reorg deeper than the blocks that are watched',
    mustHold: 'the indexer stops on that chain and says so; nothing final is taken back',
    test: ['services/chain-indexer/test/reorg.test.ts', 'stops the chain’s job loudly and deletes nothing'],
  },
  {
    name: 'one of two indexers gone',
    how: 'the leader is stopped, or loses its connection to Postgres',
    mustHold: 'the other leads within seconds, nothing is doubled, a write of the old term is refused',
    test: ['services/chain-indexer/test/two-leaders.test.ts', 'takes over within seconds'],
  },
  {
    name: 'kill -9 at the other steps of a settlement',
    how: 'SIGKILL of a real process at verified, broadcast, concluded, repriced, displaced and vanished, alone and in a batch',
    mustHold: 'the next start makes each payment once',
    test: [
      'services/x402-facilitator/test/kill-batch.test.ts',
      'at displaced, after their chain nonce was used without us',
    ],
  },
  {
    name: 'kill -9 at each step of an approval',
    how: 'SIGKILL of a real process of agents at begun, keyed, granted, live, ending and void',
    mustHold: 'a job completes what the owner decided, once; no token and no key outlives its link',
    test: ['services/agents/test/settling.test.ts', 'kill -9 in the middle of an approval that replaces a link'],
  },
  {
    name: 'kill -9 between an allowance at the Router and its link',
    how: 'SIGKILL of a real process of agents once the Router has another allowance and before it is written down',
    mustHold: 'a minute later the Router has the allowance that the owner is shown',
    test: ['services/agents/test/settling.test.ts', 'kill -9 before it is written down'],
  },
  {
    name: 'a refresh token stolen, or its answer lost',
    how: 'a used refresh token is presented again, within half a minute and later',
    mustHold: 'the same answer again; later, or once its successor was used, every token of the family ends',
    test: ['services/oauth/test/device-grant.test.ts', 'ends the whole family'],
  },
  {
    name: 'Postgres stopped in the middle of a redemption',
    how: 'an immediate stop of a real Postgres while tokens are issued, before, during and after the commit, and at the steps of an approval',
    mustHold:
      'a code is redeemed once or is as good as before; a refresh token gives one pair; an approval is completed once',
    test: ['services/agents/test/postgres-restarted.test.ts', 'between the commit and its acknowledgement'],
  },
  {
    name: 'Redis down while credentials are revoked',
    how: 'Redis stopped under three gateways that keep introspections, and started again on its data',
    mustHold:
      'what opens doors answers 503 with Retry-After, no session ends, no revocation is acknowledged, and all of them count when it is back',
    test: ['services/all/test/redis-lost.test.ts', 'once it is back what was revoked meanwhile is refused everywhere'],
  },
  {
    name: 'a link ended under load',
    how: 'twenty agents call through three gateways; links end by their owner, the agent, a revoked token, a stolen one, and relinking',
    mustHold: 'no request that begins after the answer is accepted at any gateway, and none before is refused',
    test: ['services/all/test/links-end-everywhere.test.ts', 'is refused everywhere from the answer of'],
  },
  {
    name: 'two replicas of oauth at once',
    how: 'twenty parallel polls, requests with one nonce, rotations and decisions, at both replicas in turn',
    mustHold: 'one of them counts; rotations of one token answer the same pair',
    test: ['services/agents/test/two-replicas.test.ts', 'of twenty polls of one approved code one gets tokens'],
  },
  {
    name: 'provider slow',
    how: 'an endpoint that sends a byte now and then, or whose name servers never answer',
    mustHold: 'the deadline ends the probe',
    test: [HOSTILE, 'a body that drips ends with the deadline'],
  },
  {
    name: 'provider huge',
    how: 'bodies and heads without end, and compressed ones',
    mustHold: 'reading stops at the bound, and the check says so',
    test: [HOSTILE, 'a huge body is cut at the cap'],
  },
  {
    name: 'provider redirecting inward',
    how: '3xx to loopback and to private addresses',
    mustHold: 'no connection is made there',
    test: [HOSTILE, 'a redirect is a state of its own, and is not followed'],
  },
  {
    name: 'provider rebinding',
    how: 'a name that is public first and private afterwards',
    mustHold: 'the connection goes exactly where the answer was judged',
    test: [GUARD, 'public first and private afterwards'],
  },
  {
    name: 'migration killed half-way',
    how: 'the session of a migration is ended while it runs',
    mustHold: 'nothing of it stays; the next try does it whole',
    test: ['libs/store/test/migrate.test.ts', 'killed half-way'],
  },
  {
    name: 'new schema under an old process',
    how: 'a schema that a newer version has taken further',
    mustHold: 'the old process starts on it',
    test: ['libs/store/test/migrate.test.ts', 'an old process starts on a schema'],
  },
  {
    name: 'Routers and a gateway killed under model calls',
    how: 'six SIGKILLs amid 400 calls of all surfaces, troubles, clients that leave and payments that are repeated, while the books are read many times a second',
    mustHold:
      'spent + held ≤ purchased at every look; at the end nothing is held, every charge is the upstream’s bill, every payment is credited once',
    test: ['faults/test/router-money.test.ts', 'at every moment spent + held'],
  },
  {
    name: 'a gateway killed while a model answers',
    how: 'SIGKILL of the gateway of short calls, streamed and whole, before their answers are over',
    mustHold: 'the Router notices before it settles: the call is broken, and free',
    test: ['services/router/test/dead-gateway.test.ts', 'the call costs nothing'],
  },
  {
    name: 'Routers and gateways replaced under streams',
    how: 'SIGTERM to one of two while twelve streams run',
    mustHold: 'the streams end whole, calls that come meanwhile are answered by the other one, the process ends with 0',
    test: ['faults/test/rolling-streams.test.ts', 'streams under way end whole'],
  },
  {
    name: 'a clock over midnight under model calls',
    how: 'the clock set over 00:00 UTC, and back, amid 200 calls of one budget',
    mustHold: 'a call is of the day of its admission, and no day gives more than its limit',
    test: ['services/router/test/midnight.test.ts', 'a call is of the day of its admission'],
  },
  {
    name: 'embedded: kill -9 of the whole instance',
    how: 'SIGKILL between broadcast and receipt, and amid twenty settlements',
    mustHold: 'one transfer each; the repeat gets the stored success',
    test: ['services/all/test/payments-killed.test.ts', 'between broadcast and receipt'],
  },
  {
    name: 'embedded: a child gone under it',
    how: 'SIGKILL to Postgres under a running instance',
    mustHold: 'it ends with one sentence; the next start finds the data',
    test: ['services/all/test/embedded-faults.test.ts', 'Postgres killed under it'],
  },
  {
    name: 'embedded: paused 10 s',
    how: 'SIGSTOP to the instance amid requests',
    mustHold: 'it goes on as if nothing had been',
    test: ['services/all/test/embedded-faults.test.ts', 'paused for ten seconds'],
  },
  {
    name: 'embedded: the parent process killed',
    how: 'kill -9 of the process that owns Postgres and anvil',
    mustHold: 'the leftovers are ended by the next start, and nothing of theirs is lost',
    test: ['libs/embedded/test/anvil.test.ts', 'kill -9 of its parent'],
  },
  {
    name: 'embedded: Postgres kill -9',
    how: 'SIGKILL to the child amid writes',
    mustHold: 'no acknowledged row is lost',
    test: ['libs/embedded/test/postgres.test.ts', 'kill -9 of the server loses no acknowledged row'],
  },
  {
    name: 'Postgres restored under services of one process',
    how: 'its database replaced by a copy of before, beside a chain and a Redis that went on, after keys were revoked, a payment settled and balance bought',
    mustHold:
      'nothing starts before the operator; no credential lives, a payment whose window is over is settled still, balance is credited once',
    test: ['services/all/test/restored.test.ts', 'also after its window, and moves no more'],
  },
  {
    name: 'a database that went back under a running process',
    how: 'the mark of a schema lowered, and every connection ended',
    mustHold: 'no statement of the process runs there',
    test: ['libs/store/test/database-mark.test.ts', 'no statement runs on a database that stands earlier'],
  },
]
