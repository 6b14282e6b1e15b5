import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import type { Seller, World } from './world.ts'

/** An agent that pays one seller every minute, for days. */
export function subscription(world: World, seller: Seller): void {
  const wallet = world.address()
  const from = world.moment()
  const until = from + world.between(1, 12) * DAY_MS
  for (let at = from; at < until; at += MINUTE_MS * world.between(0.9, 1.1)) world.pay(wallet, seller, at)
}

/** An exchange's wallet that pays for many people, everywhere, and submits its own payments. */
export function exchange(world: World, sellers: readonly Seller[], calls: number): void {
  const wallet = world.address()
  for (let call = 0; call < calls; call += 1) {
    world.pay(wallet, world.pick(sellers), world.moment(), { facilitator: wallet })
  }
}

/** A large customer: most of what a seller earns, and some of what others do. */
export function whale(world: World, seller: Seller, others: readonly Seller[], customers: readonly string[]): void {
  const wallet = world.address()
  const calls = world.whole(400, 2_500)
  const share = world.between(0.6, 0.95)
  for (let call = 0; call < calls; call += 1) world.pay(wallet, seller, world.moment())
  for (let call = calls * (1 / share - 1); call > 0; call -= 1) world.pay(world.pick(customers), seller, world.moment())
  if (world.chance(0.6))
    for (let call = calls * 0.3; call > 0; call -= 1) world.pay(wallet, world.pick(others), world.moment())
}

/** The day of a launch: existing wallets, and many new ones; some of those stay. */
export function launch(world: World, customers: readonly string[], others: readonly Seller[]): void {
  const seller = world.seller()
  const day = world.between(world.startMs, world.endMs - 3 * DAY_MS)
  for (let wallets = world.whole(150, 900); wallets > 0; wallets -= 1) {
    const isNew = world.chance(0.4)
    const wallet = isNew ? world.address() : world.pick(customers)
    const at = day + -Math.log(1 - world.random()) * 4 * HOUR_MS
    for (let call = world.whole(1, 6); call > 0; call -= 1)
      world.pay(wallet, seller, at + call * world.between(1, 60) * MINUTE_MS)
    if (isNew && world.chance(0.4)) {
      for (let call = world.whole(2, 20); call > 0; call -= 1)
        world.pay(wallet, world.chance(0.4) ? seller : world.pick(others), at + world.random() * 6 * DAY_MS)
    }
  }
}

/** Batch work: every night, or now and then, as fast as it is answered. */
export function batches(world: World, seller: Seller, others: readonly Seller[]): void {
  const wallet = world.address()
  const every = world.pick([1, 1, 2, 7])
  const hour = world.between(0, 23) * HOUR_MS
  let number = 0
  for (const day of world.days()) {
    number += 1
    if (number % every !== 0) continue
    const spell = world.between(3, 20) * MINUTE_MS
    for (let call = world.whole(60, 300); call > 0; call -= 1)
      world.pay(wallet, seller, day + hour + world.random() * spell)
    if (world.chance(0.5)) world.pay(wallet, world.pick(others), day + hour + spell)
  }
}

/** A shop whose customers come once; nearly half of them are also customers of others. */
export function onceOnly(world: World, seller: Seller, customers: readonly string[]): void {
  for (let wallets = world.whole(60, 300); wallets > 0; wallets -= 1) {
    const wallet = world.chance(0.45) ? world.pick(customers) : world.address()
    const at = world.moment()
    for (let call = world.whole(1, 2); call > 0; call -= 1) world.pay(wallet, seller, at + call * MINUTE_MS)
  }
}

/** An agent that submits its own payments, and a seller that asks very little. */
export function oddButHonest(world: World, sellers: readonly Seller[]): void {
  const wallet = world.address()
  for (let call = world.whole(50, 400); call > 0; call -= 1) {
    world.pay(wallet, world.pick(sellers), world.moment(), { facilitator: wallet })
  }
  const cheap = world.seller(world.pick([100, 150, 300]))
  for (let customers = world.whole(8, 20); customers > 0; customers -= 1) {
    const payer = world.address()
    for (let call = world.whole(30, 120); call > 0; call -= 1) world.pay(payer, cheap, world.moment())
    world.pay(payer, world.pick(sellers), world.moment())
  }
}
