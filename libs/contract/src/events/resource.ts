import { z } from 'zod'
import { event } from '../event.ts'
import { ProbeState } from '../schemas/liveness.ts'
import { ProbedResource } from '../schemas/resource.ts'
import { EndpointUrl, Timestamp } from '../schemas/words.ts'

/** The facilitator asks for one probe of a URL that settled payments name; its number of requests is limited. */
export const probeRequested = event({
  id: 'probe.requested',
  version: 1,
  summary: 'Request for one probe of a resource that settled payments name',
  key: 'url',
  data: z.object({
    url: EndpointUrl,
    /** Identifies this request; the answer carries it. */
    probeId: z.string().max(64),
    requestedAt: Timestamp,
  }),
})

/** What the probe of a resource found. */
export const resourceProbed = event({
  id: 'resource.probed',
  version: 1,
  summary: 'A resource that settled payments name was probed',
  key: 'url',
  data: z.object({
    url: EndpointUrl,
    probeId: z.string().max(64),
    state: ProbeState,
    checkedAt: Timestamp,
    /** What the resource says about itself and asks for; null where it made no readable x402 offer. */
    offer: ProbedResource.nullable(),
  }),
})
