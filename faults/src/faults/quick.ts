/** One fault of each kind, by name, for `--quick`. */
export const QUICK: Readonly<Record<string, string>> = {
  'a process killed': 'kill -9 of x402-facilitator amid requests',
  'a process paused': 'a replica of gateway paused 10 s',
  'a payment cut short': 'kill -9 of a facilitator at “stored” of a batch',
  'the bus killed': 'NATS killed',
  'the database killed': 'Postgres kill -9',
  'the counters lost': 'Redis flushed',
  'events delivered twice': 'duplicate events',
  'the node refuses': 'node answers 429',
  'the chain reorganized': 'reorganization of depth 5',
}
