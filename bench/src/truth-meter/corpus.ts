import { healthChecks, market, sellersTests, tradingSellers } from './honest.ts'
import { batches, exchange, launch, oddButHonest, onceOnly, subscription, whale } from './lookalikes.ts'
import { SCHEMES } from './schemes.ts'
import { World } from './world.ts'

/** A Wednesday. */
const START_MS = Date.parse('2026-10-21T07:13:00.000Z')
const DAYS = 28
/** The share of customers who exist from the start, and so encounter launches and shops. */
const FIRST_CUSTOMERS = 0.4
/** Campaigns of every scheme per million settlements: about a third of all settlements. */
const CAMPAIGNS = 36
/** The least number of actors of each kind, however few settlements there are. */
const FEWEST = 3

/**
 * Settlements of invented actors, including honest ones that resemble every scheme. The corpus does not know what rules
 * check: actors are described by their goals and methods.
 */
export function corpus(seed: number, settlements: number): World {
  const world = new World(seed, START_MS, DAYS)
  const share = settlements / 1e6
  const many = (perMillion: number): readonly number[] =>
    Array.from({ length: Math.max(FEWEST, Math.round(perMillion * share)) }, (_, at) => at)
  const sellers = many(400).map(() => world.seller())
  const customers = market(world, sellers, settlements * FIRST_CUSTOMERS)
  tradingSellers(world, sellers)
  sellersTests(world, sellers)
  healthChecks(world, sellers)
  for (const _ of many(6)) subscription(world, world.pick(sellers.slice(0, Math.max(5, sellers.length / 4))))
  for (const _ of many(3)) exchange(world, sellers, 12_000 * Math.min(1, share))
  for (const _ of many(14)) whale(world, world.seller(), sellers, customers)
  for (const _ of many(8)) launch(world, customers, sellers)
  for (const _ of many(10)) batches(world, world.pick(sellers), sellers)
  for (const _ of many(10)) onceOnly(world, world.seller(), customers)
  for (const _ of many(8)) oddButHonest(world, sellers)
  for (const scheme of Object.values(SCHEMES)) for (const _ of many(CAMPAIGNS)) scheme(world, customers, sellers)
  // The rest are ordinary customers.
  market(world, sellers, settlements)
  return world
}
