import { DAY_MS, HOUR_MS, MINUTE_MS } from '@callboard/values'
import { zipf } from '../discovery/random.ts'
import type { Seller, World } from './world.ts'

/** An agent that buys what it needs: from a few sellers repeatedly, more by day than by night. */
export function customer(world: World, sellers: readonly Seller[], draw: () => number, meanCalls: number): string {
  const wallet = world.address()
  const liked = Array.from({ length: world.whole(1, 6) }, () => sellers[draw()] as Seller)
  const from = world.moment() - 10 * DAY_MS
  const until = from + world.between(2, 40) * DAY_MS
  const calls = Math.ceil(-Math.log(1 - world.random()) * meanCalls)
  for (let call = 0; call < calls; call += 1) {
    const seller = world.chance(0.07) ? world.pick(sellers) : world.pick(liked)
    const at =
      Math.max(from, world.startMs) + world.random() * (Math.min(until, world.endMs) - Math.max(from, world.startMs))
    world.pay(wallet, seller, at, { amount: world.chance(0.9) ? seller.price : seller.price * world.whole(2, 5) })
  }
  return wallet
}

/** The ordinary market: sellers by Zipf’s law, and customers until the number of settlements is reached. */
export function market(world: World, sellers: readonly Seller[], settlements: number): string[] {
  const draw = zipf(sellers.length, 0.9, world.random)
  const wallets: string[] = []
  while (world.settlements.length < settlements) wallets.push(customer(world, sellers, draw, 40))
  return wallets
}

/** Sellers that buy from other sellers with what they earn, some from each other. */
export function tradingSellers(world: World, sellers: readonly Seller[]): void {
  for (const { wallet } of sellers) {
    if (!world.chance(0.25)) continue
    const suppliers = Array.from({ length: world.whole(1, 3) }, () => world.pick(sellers)).filter(
      (one) => one.wallet !== wallet,
    )
    for (const supplier of suppliers) {
      for (let call = world.whole(5, 60); call > 0; call -= 1) world.pay(wallet, supplier, world.moment())
    }
  }
}

/** A seller that checks whether its own endpoint can be paid, and sometimes pays a base unit. */
export function sellersTests(world: World, sellers: readonly Seller[]): void {
  for (const seller of sellers) {
    if (!world.chance(0.5)) continue
    const at = world.moment()
    for (let call = world.whole(1, 3); call > 0; call -= 1) world.pay(seller.wallet, seller, at + call * MINUTE_MS)
    if (world.chance(0.3)) world.pay(world.address(), seller, at + HOUR_MS, { amount: 1 })
  }
}

/** A facilitator that checks whether it can settle. */
export function healthChecks(world: World, sellers: readonly Seller[]): void {
  for (const facilitator of world.facilitators) {
    for (const day of world.days()) {
      if (world.chance(0.25))
        world.pay(facilitator, world.pick(sellers), day + world.random() * DAY_MS, { facilitator })
    }
  }
}
