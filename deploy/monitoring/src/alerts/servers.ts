import { type Alert, alert, everywhere, type Group, HOLD, held } from './alert.ts'

interface Server {
  readonly server: string
  readonly called: string
  readonly effect: string
}

const SERVERS: readonly Server[] = [
  { server: 'postgres', called: 'Postgres', effect: 'Only data in memory can be read, and nothing can be written.' },
  { server: 'nats', called: 'Nats', effect: 'Services cannot reach each other, and events wait in their outboxes.' },
  { server: 'redis', called: 'Redis', effect: 'Sign-ins answer 503, and rates and nonces are not counted.' },
]

/** One process is enough: what it cannot reach may be down, or the network to it. */
const down = ({ server, called, effect }: Server): Alert => {
  const metric = `callboard_server_up{server="${server}"}`
  return alert({
    name: `${called}Down`,
    severity: 'critical',
    parameters: { for: '1m', hold: HOLD },
    expr: ({ hold }) => `${held(metric, { of: 'min', by: '', hold })} == 0`,
    summary: `A process gets no answer from ${server}`,
    description: effect,
    sight: { ...everywhere(metric), isEverywhere: false },
  })
}

export const servers: Group = {
  name: 'servers',
  alerts: [
    ...SERVERS.map(down),
    alert({
      name: 'ServerSlow',
      severity: 'warning',
      parameters: { for: '5m', answerSeconds: 0.25 },
      expr: ({ answerSeconds }) => `max by (server) (callboard_server_answer_seconds) > ${answerSeconds}`,
      summary: '{{ $labels.server }} is slow',
      description: 'A process waited {{ $value | humanizeDuration }} for an answer that needs no work.',
    }),
    // A mount may be read half-way through a swap; a text that stays refused is really invalid.
    alert({
      name: 'SecretRefused',
      severity: 'warning',
      parameters: { for: '5m' },
      expr: () => 'max by (setting) (callboard_secret_refused) == 1',
      summary: 'The new value of {{ $labels.setting }} is refused',
      description:
        'The old value stays in use until the server that it signs in to refuses it; the log says why the new one is refused.',
    }),
  ],
}
